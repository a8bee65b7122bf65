// The sessions of all clouds in use, one for each set of credentials, whoever asks. Keyed by a digest of everything that a login
// depends on, so that changed credentials are new ones at once, and no secret is a key.

import { createHash } from "node:crypto";
import type { CloudConfig } from "../../core/openstack/cloud-config.ts";
import type { Channel } from "./exchange.ts";
import { keystoneRoot } from "./keystone.ts";
import { Session } from "./session.ts";

/** More clouds than anybody has; the ones not asked for longest are forgotten first. */
const maxSessions = 500;

export class Sessions {
  readonly #channel: Channel;
  readonly #byKey = new Map<string, Session>();

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  for(cloud: CloudConfig): Session {
    const key = keyOf(cloud);
    const session = this.#byKey.get(key) ?? new Session(this.#channel, cloud);
    this.#byKey.delete(key);
    this.#byKey.set(key, session);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > maxSessions && oldest !== undefined) this.#byKey.delete(oldest);
    return session;
  }
}

/** Region and interface only choose from the catalogue: one token serves all of them. */
function keyOf({ authUrl, auth, caCertificate, verifyTls }: CloudConfig): string {
  const parts = [keystoneRoot(authUrl), sorted(auth), caCertificate ?? null, verifyTls];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Equal whatever order the fields were written in. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}
