// The sessions of all clouds in use, one for each set of credentials. Keyed by a digest of everything a login depends on, so that
// changed credentials get a new session at once, and no secret is a key.

import { createHash } from "node:crypto";
import type { CloudConfig } from "../../../core/openstack/cloud-config.ts";
import type { Channel } from "../exchange.ts";
import { keystoneRoot } from "./keystone.ts";
import { Session } from "./session.ts";

/** Replaced credentials are no longer used: their token is not kept for long. */
const idleMs = 3_600_000;
/** Above this the least recently used are dropped, because each holds a token and a catalogue. */
const maxSessions = 10_000;

interface Kept {
  readonly session: Session;
  readonly askedAtMs: number;
}

export class Sessions {
  readonly #channel: Channel;
  /** The least recently used come first. */
  readonly #byKey = new Map<string, Kept>();
  #opened = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  for(cloud: CloudConfig): Session {
    const key = keyOf(cloud);
    const askedAtMs = this.#channel.clock.monotonicMs();
    const session = this.#byKey.get(key)?.session ?? this.#open(cloud);
    this.#byKey.delete(key);
    this.#byKey.set(key, { session, askedAtMs });
    this.#forgetIdle(askedAtMs);
    return session;
  }

  #open(cloud: CloudConfig): Session {
    this.#opened += 1;
    return new Session(this.#channel, cloud, `session ${this.#opened}`);
  }

  #forgetIdle(nowMs: number): void {
    for (const [key, { askedAtMs }] of this.#byKey) {
      if (this.#byKey.size <= maxSessions && nowMs - askedAtMs < idleMs) return;
      this.#byKey.delete(key);
    }
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
