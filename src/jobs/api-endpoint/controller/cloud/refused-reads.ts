// What the cloud refuses to show is not asked for at every look (engine/round/read-backoffs.ts): credentials for all objects that use them,
// everything else for each object. A cloud that does not answer at all (silent-clouds.ts), or asks for patience, is no refusal.

import { isOpenStackError, type OpenStackErrorCode } from "../../../../core/openstack/openstack-error.ts";
import { type Read, ReadBackoffs } from "../../../../engine/round/read-backoffs.ts";
import type { OpenStackProject } from "../../../../ports/openstack.ts";
import { longestWhileMissingMs } from "./pace.ts";

export type RefusedReads = Pick<ReadBackoffs, "read" | "forget">;
/** On behalf of one object: its key, and the version of what it asks with. */
export type Reading = Omit<Read, "name"> & { readonly key: string };

const longestMs: Readonly<Record<OpenStackErrorCode, number | undefined>> = {
  NotFound: longestWhileMissingMs,
  Conflict: 300_000,
  Changed: undefined,
  BadRequest: 300_000,
  Unauthorized: 300_000,
  Forbidden: 300_000,
  QuotaExceeded: 300_000,
  Unsupported: 300_000,
  NoSuchService: 300_000,
  // May be over at any time, for all objects at once.
  ServerError: 120_000,
  TooManyRequests: undefined,
  Timeout: undefined,
  Unreachable: undefined,
};

export function refusedLogins(): RefusedReads {
  return new ReadBackoffs((error) => (isOpenStackError(error) ? longestMs[error.code] : undefined));
}

/** That credentials are refused is known of the login, which others may try for us. */
export function refusedReads(): RefusedReads {
  return new ReadBackoffs((error) =>
    isOpenStackError(error) && error.code !== "Unauthorized" ? longestMs[error.code] : undefined,
  );
}

type Services = Pick<OpenStackProject, "octavia" | "neutron" | "nova">;

/** The services of a project, to observe with. */
export function withRefusals({ octavia, neutron, nova }: Services, refused: RefusedReads, reading: Reading): Services {
  return {
    octavia: asking("octavia", octavia, refused, reading),
    neutron: asking("neutron", neutron, refused, reading),
    nova: asking("nova", nova, refused, reading),
  };
}

function asking<T extends object>(service: string, port: T, refused: RefusedReads, { key, ...reading }: Reading): T {
  return new Proxy(port, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method, target);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]) => {
        const name = `${key} ${service} ${String(method)} ${JSON.stringify(given)}`;
        return refused.read({ ...reading, name }, async () => (await Reflect.apply(value, target, given)) as unknown);
      };
    },
  });
}
