import { request as requestTls } from "node:https";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { selfSigned } from "../../../test/contract/kube/self-signed.ts";
import type { HttpQuestion, HttpService } from "../../ports/http-service.ts";
import { type HttpListener, type HttpListenerOptions, listenHttp } from "./http-listener.ts";

let listener: HttpListener | undefined;
afterEach(async () => {
  await listener?.close();
});

/** Answers with what it was asked, and 400 to a body that did not come. */
const echo: HttpService = async ({ body, ...question }) => {
  let text = "";
  try {
    for await (const chunk of body) text += Buffer.from(chunk).toString();
  } catch {
    return { status: 400, headers: {}, body: "" };
  }
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify({ ...question, text }) };
};

async function listen(options: Partial<HttpListenerOptions> = {}): Promise<number> {
  listener = await listenHttp({ bind: "127.0.0.1", port: 0, service: echo, ...options });
  return listener.port;
}

/** All that comes back until the server ends the connection. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("a listener", () => {
  test("hands a request over, and sends what comes back", async () => {
    const port = await listen();
    const answer = await fetch(`http://127.0.0.1:${port}/a/b?c=d`, {
      method: "PUT",
      body: "hello",
      headers: { "X-One": "1" },
    });
    expect(await answer.json()).toMatchObject({
      method: "PUT",
      path: "/a/b",
      text: "hello",
      headers: { "x-one": "1" },
      peer: { isLoopback: true },
    });
  });

  test("a client that does not send what it announced is answered and loses its connection", async () => {
    const port = await listen({ bodyPatienceMs: 50 });
    const answer = await sendRaw(port, "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toContain("\r\nconnection: close\r\n");
  });

  test("a body that nobody reads does not hold up the answer", async () => {
    const port = await listen({ service: async () => ({ status: 413, headers: {}, body: "" }) });
    const answer = await sendRaw(
      port,
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n${"x".repeat(1_000)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a service that fails is a 500 without a word", async () => {
    const port = await listen({ service: () => Promise.reject(new Error("secret")) });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect([answer.status, await answer.text()]).toEqual([500, ""]);
  });

  test("with TLS, knows a client by its verified certificate alone", async () => {
    const [server, client, stranger] = [selfSigned(), selfSigned(), selfSigned()];
    const port = await listen({
      tls: { cert: server.certificate, key: server.key, clientAuthorities: client.certificate },
    });
    const peerOf = async (own: { readonly cert?: string; readonly key?: string }) =>
      await new Promise<HttpQuestion["peer"]>((resolve, reject) => {
        const asked = requestTls(
          { host: "127.0.0.1", port, ca: server.certificate, agent: false, ...own },
          (answer) => {
            let text = "";
            answer.on("data", (chunk: Buffer) => {
              text += chunk.toString();
            });
            answer.on("end", () => resolve((JSON.parse(text) as HttpQuestion).peer));
          },
        );
        asked.on("error", reject);
        asked.end();
      });
    expect(await peerOf({ cert: client.certificate, key: client.key })).toEqual({
      isLoopback: true,
      certificateName: "mainstay test webhook",
    });
    expect(await peerOf({ cert: stranger.certificate, key: stranger.key })).toEqual({ isLoopback: true });
    expect(await peerOf({})).toEqual({ isLoopback: true });
  });
});
