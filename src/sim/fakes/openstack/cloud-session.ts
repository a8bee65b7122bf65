// One configuration's way into the fake cloud, as the driver has it: one token for all who use it, a new one when it is refused, and
// no call to a service that the catalogue lacks.

import type { CloudConfig } from "../../../core/openstack/cloud-config.ts";
import { isOpenStackError, OpenStackError, type OpenStackService } from "../../../core/openstack/openstack-error.ts";
import { present } from "../../../core/present.ts";
import type { CloudCallOptions, CloudWriteOptions, ProjectIdentity } from "../../../ports/openstack.ts";
import { balancerOf, zoneOf } from "./balancer-of.ts";
import type { CallHandler, CloudCall } from "./call-handler.ts";
import { actingAs, type Cloud } from "./cloud.ts";
import { refuse } from "./cloud-fault.ts";
import { authenticate, validToken } from "./keystone/authenticate.ts";
import { authUrlOf, endpointOf, regionOf, servicesOf, serviceTypes } from "./keystone/catalogue.ts";
import type { Caller } from "./keystone/directory.ts";

export type Effect<T> = (cloud: Cloud, caller: Caller) => T;

export interface ServiceCalls {
  readonly read: Pass<CloudCallOptions>;
  readonly write: Pass<CloudWriteOptions>;
}

type Pass<O> = <T>(operation: string, options: O | undefined, effect: Effect<T>, target?: string) => Promise<T>;

export class CloudSession {
  readonly #cloud: Cloud;
  readonly #calls: CallHandler;
  readonly #config: CloudConfig;
  readonly #name: string;
  #token: Promise<string> | undefined;

  constructor(cloud: Cloud, calls: CallHandler, config: CloudConfig, name: string) {
    this.#name = name;
    this.#cloud = cloud;
    this.#calls = calls;
    this.#config = config;
  }

  async identify(options: CloudCallOptions = {}): Promise<ProjectIdentity> {
    // A token that is still good answers without a call, as in the driver.
    const { caller } = await this.#validToken(options);
    return {
      projectId: caller.projectId,
      region: this.#config.region ?? regionOf(this.#cloud),
      endpointKey: `${endpointOf(this.#cloud, "octavia")} ${caller.projectId}`,
      tokenKey: this.#name,
      services: this.#inRegion() ? servicesOf(this.#cloud).map((service) => serviceTypes[service]) : [],
    };
  }

  service(service: OpenStackService): ServiceCalls {
    const call = <T>(
      write: boolean,
      operation: string,
      options: CloudWriteOptions | undefined,
      effect: Effect<T>,
      target: string | undefined,
    ): Promise<T> => {
      const balancerId = target === undefined ? undefined : balancerOf(this.#cloud, target);
      const zone =
        service === "octavia" && target !== undefined ? zoneOf(this.#cloud, balancerId ?? target) : undefined;
      return this.#call({ service, operation, write, ...present({ target, balancerId, zone }) }, options ?? {}, effect);
    };
    return {
      read: (operation, options, effect, target) => call(false, operation, options, effect, target),
      write: (operation, options, effect, target) => call(true, operation, options, effect, target),
    };
  }

  async #call<T>(call: CloudCall, options: CloudWriteOptions, effect: Effect<T>): Promise<T> {
    const once = async (): Promise<T> => {
      const token = await this.#currentToken(options);
      this.#checkService(call);
      return await this.#calls.handle(call, options, () => {
        const { caller } = validToken(this.#cloud, token, call.service);
        if (caller === undefined) refuse(401, "The token has no project.");
        return actingAs(this.#cloud, caller.userName, () => effect(this.#cloud, caller));
      });
    };
    try {
      return await once();
    } catch (error) {
      if (!isOpenStackError(error, "Unauthorized") || error.service === "keystone") throw error;
      this.#token = undefined;
      return await once();
    }
  }

  async #validToken(options: CloudCallOptions): Promise<{ readonly caller: Caller }> {
    for (let attempt = 0; ; attempt += 1) {
      const found = this.#cloud.directory.tokens.get(await this.#currentToken(options));
      if (found !== undefined && found.expiresAtMs > this.#cloud.clock.nowMs()) {
        if (found.caller !== undefined) return { caller: found.caller };
        throw keystoneError("Unauthorized", "the credentials carry no project");
      }
      if (attempt > 0) throw keystoneError("Unauthorized", "a fresh token is refused");
      this.#token = undefined;
    }
  }

  /** One authentication for all who wait; a failed one is not kept. */
  #currentToken(options: CloudCallOptions): Promise<string> {
    this.#token ??= this.#authenticate(options).catch((error: unknown) => {
      this.#token = undefined;
      throw error;
    });
    return this.#token;
  }

  async #authenticate({ signal }: CloudCallOptions): Promise<string> {
    if (trimmed(this.#config.authUrl) !== trimmed(authUrlOf(this.#cloud)))
      throw keystoneError("Unreachable", `nothing answers at ${this.#config.authUrl}`);
    const call: CloudCall = { service: "keystone", operation: "authenticate", write: false };
    const options = signal === undefined ? {} : { signal };
    const { auth } = this.#config;
    return await this.#calls.handle(call, options, () => {
      // A token without a scope asked for is used as it is: it has one of its own.
      const asItIs = auth.type === "token" && auth.scope === undefined;
      return (asItIs ? validToken(this.#cloud, auth.token) : authenticate(this.#cloud, auth)).id;
    });
  }

  #checkService({ service, operation }: CloudCall): void {
    if (this.#inRegion() && servicesOf(this.#cloud).includes(service)) return;
    const where = this.#config.region === undefined ? "" : ` in region ${this.#config.region}`;
    const message = `${operation}: the catalogue has no ${serviceTypes[service]} service${where}`;
    throw new OpenStackError({ code: "NoSuchService", service, operation, message });
  }

  #inRegion(): boolean {
    return this.#config.region === undefined || this.#config.region === regionOf(this.#cloud);
  }
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}

function keystoneError(code: "Unauthorized" | "Unreachable", what: string): OpenStackError {
  return new OpenStackError({ code, service: "keystone", operation: "authenticate", message: `authenticate: ${what}` });
}
