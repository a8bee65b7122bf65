// What the model of a cloud says no to: as the services would, with their code, or because a law of the planner is broken.

import type { OpenStackErrorCode } from "../../../src/core/openstack/openstack-error.ts";

export class ModelRefusal extends Error {
  readonly code: OpenStackErrorCode;

  constructor(code: OpenStackErrorCode, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

export function refuse(code: OpenStackErrorCode, message: string): never {
  throw new ModelRefusal(code, message);
}

export function refuseUnless(holds: unknown, code: OpenStackErrorCode, message: string): asserts holds {
  if (!holds) refuse(code, message);
}

/** For what the services would do and a planner must not ask for. */
export function must(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

export function missing(what: unknown): never {
  return refuse("NotFound", JSON.stringify(what));
}
