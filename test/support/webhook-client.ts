// Calls admission and conversion webhooks over HTTPS for a fake API server that listens on a socket.

import { request } from "node:https";
import { z } from "zod";
import type { CallWebhook, WebhookCall } from "../../src/sim/fakes/kube/admission/webhook-call.ts";
import type { Json } from "../../src/sim/fakes/kube/json.ts";

/** Webhooks behind a Service cannot be reached, because there is no cluster network here: they fail as for a Service that does not exist. */
export const callWebhookOverHttps: CallWebhook = async (call) => {
  const { url, service } = call.clientConfig;
  if (typeof url === "string") return post(`${url}${call.query}`, call);
  const { name, namespace } = Object(service) as { name?: string; namespace?: string };
  throw new Error(`Post "https://${name}.${namespace}.svc${call.query}": service "${name}" not found`);
};

function post(url: string, { clientConfig, body, timeoutMs }: WebhookCall): Promise<Json> {
  const { caBundle } = clientConfig;
  const ca = typeof caBundle === "string" && caBundle !== "" ? { ca: Buffer.from(caBundle, "base64") } : {};
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`Post "${url}": ${why}`));
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { "content-type": "application/json", accept: "application/json" };
    const call = request(url, { method: "POST", agent: false, headers, signal, ...ca }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", (error) => fail(signal.aborted ? "context deadline exceeded" : error.message));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (response.statusCode !== 200) {
          reject(
            new Error(`an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`),
          );
          return;
        }
        try {
          resolve(z.json().parse(JSON.parse(text)));
        } catch {
          fail("the answer is not JSON");
        }
      });
    });
    call.on("error", (error) => fail(signal.aborted ? "context deadline exceeded" : error.message));
    call.end(JSON.stringify(body));
  });
}
