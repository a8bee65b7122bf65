// From the Secret of a gateway to what a request to its agent needs. No content of a Secret gets into a message.

import type { Secret } from "../../../../apis/kube/builtin-kinds.ts";
import type { FeedTls } from "../../../../ports/gateway-feed.ts";

export interface FeedAccess {
  /** For signed tokens. Absent: the certificate has to do. */
  readonly tokenKey?: Uint8Array;
  readonly tls: FeedTls;
}

/** As ch-k8s-lbaas demands it. */
const shortestSecret = 12;

export function feedAccess({ metadata, data = {} }: Secret): FeedAccess | { readonly problem: string } {
  const where = `Secret ${metadata.namespace ?? ""}/${metadata.name}`;
  const [ca, cert, key] = ["ca.crt", "tls.crt", "tls.key"].map((name) => textOf(data[name]));
  const shared = textOf(data["shared-secret"])?.trim();
  const secret = shared === undefined ? undefined : decodedSecret(shared);
  const tls = { ...(ca ? { ca } : {}), ...(cert && key ? { cert, key } : {}) };
  if (shared !== undefined && (secret === undefined || secret.length < shortestSecret))
    return { problem: `${where}: shared-secret is not base64 of at least ${shortestSecret} bytes` };
  if (secret === undefined && !(cert && key))
    return { problem: `${where}: it has neither shared-secret nor tls.crt and tls.key` };
  return { tls, ...(secret === undefined ? {} : { tokenKey: secret }) };
}

/** Base64 inside the Secret, too, as in the files of agents and of ch-k8s-lbaas. */
function decodedSecret(text: string): Uint8Array | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? bytesOf(text) : undefined;
}

function textOf(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : new TextDecoder().decode(bytesOf(base64));
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
