// One set of credentials and the token they stand for. Many may ask at once: one login serves them all. A token is renewed before
// it ends, and nobody waits for that: the old one goes on while it is good.

import { isOpenStackError, type OpenStackError } from "../../core/openstack/openstack-error.ts";
import { orAborted } from "../http/deadline.ts";
import type { Channel } from "./exchange.ts";
import { authenticate, type IssuedToken, type Login } from "./keystone.ts";
import { type Redact, redactorOf, secretsOf } from "./secrets.ts";

export interface Admission extends IssuedToken {
  readonly scrub: Redact;
}

interface Held {
  readonly admission: Admission;
  readonly endsAtMs: number;
  readonly renewAtMs: number;
}

/** A tenth of its life early, at most ten minutes: calls under way finish with the token they began with. */
const renewalShare = 0.1;
const maxRenewalMs = 600_000;
/** Between two tries to renew a token that is still good. */
const renewalPauseMs = 30_000;
/** Credentials that were refused are not tried again for so long, whoever asks, and longer each time: Keystone locks people out. */
const refusalMs = 5_000;
const maxRefusalMs = 60_000;

interface Refused {
  readonly error: OpenStackError;
  readonly forMs: number;
  readonly untilMs: number;
}

export class Session {
  readonly #channel: Channel;
  readonly #login: Login;
  readonly #loginScrub: Redact;
  #held: Held | undefined;
  #underWay: Promise<Admission> | undefined;
  #refused: Refused | undefined;

  constructor(channel: Channel, login: Login) {
    this.#channel = channel;
    this.#login = login;
    this.#loginScrub = redactorOf(secretsOf(login.auth));
  }

  /** Removes these credentials' secrets from a text, the token too when there is one. */
  get scrub(): Redact {
    return this.#held?.admission.scrub ?? this.#loginScrub;
  }

  get trust() {
    const { caCertificate, verifyTls } = this.#login;
    return { verifyTls, ...(caCertificate === undefined ? {} : { caCertificate }) };
  }

  async admission(signal?: AbortSignal): Promise<Admission> {
    const nowMs = this.#channel.clock.monotonicMs();
    const held = this.#held;
    if (held === undefined || nowMs >= held.endsAtMs) return orAborted(this.#renew(), signal);
    if (nowMs >= held.renewAtMs) {
      this.#held = { ...held, renewAtMs: nowMs + renewalPauseMs };
      this.#renew().catch(() => {});
    }
    return held.admission;
  }

  /** The token was met with a 401. Who comes late with an old one changes nothing. */
  refuse(token: string): void {
    if (this.#held?.admission.token === token) this.#held = undefined;
  }

  async #renew(): Promise<Admission> {
    const { clock } = this.#channel;
    if (this.#refused !== undefined && clock.monotonicMs() < this.#refused.untilMs) throw this.#refused.error;
    this.#underWay ??= this.#logIn().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #logIn(): Promise<Admission> {
    const { clock } = this.#channel;
    const beganAtMs = clock.monotonicMs();
    try {
      const issued = await authenticate(this.#channel, this.#login);
      const scrub = redactorOf([...secretsOf(this.#login.auth), issued.token]);
      const endsAtMs = beganAtMs + issued.lifetimeMs;
      const renewAtMs = endsAtMs - Math.min(issued.lifetimeMs * renewalShare, maxRenewalMs);
      this.#held = { admission: { ...issued, scrub }, endsAtMs, renewAtMs };
      this.#refused = undefined;
      return this.#held.admission;
    } catch (error) {
      if (isOpenStackError(error, "Unauthorized")) {
        const forMs = Math.min(this.#refused === undefined ? refusalMs : 2 * this.#refused.forMs, maxRefusalMs);
        this.#refused = { error, forMs, untilMs: clock.monotonicMs() + forMs };
      }
      throw error;
    }
  }
}
