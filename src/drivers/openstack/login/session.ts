// One set of credentials and the token for them. One login serves all callers that wait for it. A token is renewed before it expires,
// and callers use the old one meanwhile.

import { isOpenStackError, type OpenStackError } from "../../../core/openstack/openstack-error.ts";
import { present } from "../../../core/present.ts";
import { orAborted } from "../../http/deadline.ts";
import { CloudClock } from "../cloud-clock.ts";
import type { Channel } from "../exchange.ts";
import { authenticate, type IssuedToken, type Login } from "./keystone.ts";
import { type Redact, redactorOf, secretsOf } from "./secrets.ts";

export interface Authentication extends IssuedToken {
  readonly redact: Redact;
}

interface Held {
  readonly authentication: Authentication;
  readonly endsAtMs: number;
  readonly renewAtMs: number;
}

/** A tenth of its life early, at most ten minutes: calls under way finish with the token they began with. */
const renewalShare = 0.1;
const maxRenewalMs = 600_000;
/** Between two tries to renew a token that is still good. */
const renewalPauseMs = 30_000;
/** Refused credentials are not tried again for so long, and longer each time, because Keystone locks accounts. */
const refusalMs = 5_000;
const maxRefusalMs = 60_000;

interface Refused {
  readonly error: OpenStackError;
  readonly forMs: number;
  readonly untilMs: number;
}

export class Session {
  /** Of this session alone, and of no use to anybody who reads it. */
  readonly name: string;
  /** Of the cloud that these credentials are for. */
  readonly cloudClock: CloudClock;
  readonly #channel: Channel;
  readonly #login: Login;
  readonly #loginRedact: Redact;
  #held: Held | undefined;
  #underWay: Promise<Authentication> | undefined;
  #refused: Refused | undefined;

  constructor(channel: Channel, login: Login, name: string) {
    this.name = name;
    this.#channel = channel;
    this.cloudClock = new CloudClock(channel.clock);
    this.#login = login;
    this.#loginRedact = redactorOf(secretsOf(login.auth));
  }

  /** Removes these credentials' secrets from a text, the token too when there is one. */
  get redact(): Redact {
    return this.#held?.authentication.redact ?? this.#loginRedact;
  }

  get trust() {
    const { caCertificate, verifyTls } = this.#login;
    return { verifyTls, ...present({ caCertificate }) };
  }

  async authentication(signal?: AbortSignal): Promise<Authentication> {
    const nowMs = this.#channel.clock.monotonicMs();
    const held = this.#held;
    if (held === undefined || nowMs >= held.endsAtMs) return orAborted(this.#renew(), signal);
    if (nowMs >= held.renewAtMs) {
      this.#held = { ...held, renewAtMs: nowMs + renewalPauseMs };
      this.#renew().catch(() => {});
    }
    return held.authentication;
  }

  /** The token was answered with a 401. Has no effect when the session has a newer token already. */
  refuse(token: string): void {
    if (this.#held?.authentication.token === token) this.#held = undefined;
  }

  async #renew(): Promise<Authentication> {
    const { clock } = this.#channel;
    if (this.#refused !== undefined && clock.monotonicMs() < this.#refused.untilMs) throw this.#refused.error;
    this.#underWay ??= this.#logIn().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #logIn(): Promise<Authentication> {
    const { clock } = this.#channel;
    const beganAtMs = clock.monotonicMs();
    try {
      const issued = await authenticate(this.#channel, this.#login);
      const redact = redactorOf([...secretsOf(this.#login.auth), issued.token]);
      const endsAtMs = beganAtMs + issued.lifetimeMs;
      const renewAtMs = endsAtMs - Math.min(issued.lifetimeMs * renewalShare, maxRenewalMs);
      this.#held = { authentication: { ...issued, redact }, endsAtMs, renewAtMs };
      this.#refused = undefined;
      return this.#held.authentication;
    } catch (error) {
      if (isOpenStackError(error, "Unauthorized")) {
        const forMs = Math.min(this.#refused === undefined ? refusalMs : 2 * this.#refused.forMs, maxRefusalMs);
        this.#refused = { error, forMs, untilMs: clock.monotonicMs() + forMs };
      }
      throw error;
    }
  }
}
