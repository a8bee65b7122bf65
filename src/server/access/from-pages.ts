// A loopback server without authentication must not answer web pages of other sites in the same browser: requests with a foreign
// host name, or from another site, are answered with 403 before anything else happens.

import type { KubeHttpRequest, KubeHttpResponse } from "../../ports/kube-transport.ts";
import { asFailure } from "../api-failure.ts";
import { checkHost, checkOrigin } from "./request-checks.ts";

/** Undefined: the request may pass. */
export function refusedFromPages({ headers }: Pick<KubeHttpRequest, "headers">): KubeHttpResponse | undefined {
  try {
    checkHost(headers, []);
    checkOrigin(headers);
    return undefined;
  } catch (error) {
    const { message } = asFailure(error);
    const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", code: 403, message };
    return { status: 403, headers: { "content-type": "application/json" }, body: bytesOf(JSON.stringify(status)) };
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}
