// What the behaviours of one run share: a session, names nobody else uses, and one balancer with a listener and a pool, made when the
// first behaviour asks for it. On the real services every balancer costs seconds.

import type { Listener, LoadBalancer, Pool } from "../../../src/core/openstack/octavia-objects.ts";
import { isOpenStackError, type OpenStackErrorCode } from "../../../src/core/openstack/openstack-error.ts";
import type { OpenStackProject } from "../../../src/ports/openstack.ts";
import type { OpenStackTargetSession } from "./target.ts";

export interface Stage extends OpenStackTargetSession {
  /** The member's project, by password. */
  readonly member: OpenStackProject;
  readonly unique: (prefix: string) => string;
  /** Looks until there is something, or fails saying what was missing. */
  readonly until: <T>(what: string, look: () => Promise<T | undefined>) => Promise<T>;
  /** The balancer, once it is ACTIVE. */
  readonly settled: (balancerId: string) => Promise<LoadBalancer>;
  /** With VIP in tenant-1, ACTIVE. */
  readonly balancer: () => Promise<LoadBalancer>;
  /** The same, with a listener on port 6443 and its pool, ACTIVE. */
  readonly served: () => Promise<{
    readonly balancer: LoadBalancer;
    readonly listener: Listener;
    readonly pool: Pool;
  }>;
  readonly algorithm: "ROUND_ROBIN" | "SOURCE_IP_PORT";
}

/** How behaviours get the stage: only inside `it` and hooks, once the session is open. */
export type GetStage = () => Stage;

/** For a test or a hook: the real services share a machine with everything else that is tested. */
export const patienceMs = 900_000;
const stepMs = 300;
const maxSteps = 1_500;

export function setStage(session: OpenStackTargetSession, unique: (prefix: string) => string): Stage {
  const member = session.project("password");
  const { octavia } = member;
  const algorithm = session.provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN";

  async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    for (let step = 0; step < maxSteps; step += 1) {
      const found = await look();
      if (found !== undefined) return found;
      await session.pass(stepMs);
    }
    throw new Error(`${what}: not within ${(stepMs * maxSteps) / 1000} s`);
  }
  const settled = (id: string) =>
    until(`balancer ${id} is ACTIVE`, async () => {
      const found = await octavia.getLoadBalancer(id);
      return found.provisioningStatus === "ACTIVE" ? found : undefined;
    });
  const balancer = once(async () => {
    const fields = { name: unique("shared"), description: "shared", tags: [] };
    const { id } = await octavia.createLoadBalancer({ ...fields, vipSubnetId: session.made.subnetIds[0] });
    return settled(id);
  });
  const served = once(async () => {
    const { id } = await balancer();
    const listener = await octavia.createListener({
      loadBalancerId: id,
      name: "api",
      protocol: "TCP",
      port: 6443,
      tags: [],
    });
    await settled(id);
    const pool = await octavia.createPool({
      listenerId: listener.id,
      name: "api",
      protocol: "TCP",
      algorithm,
      tags: [],
    });
    return { balancer: await settled(id), listener, pool };
  });
  return { ...session, member, unique, until, settled, balancer, served, algorithm };
}

/** What became of a call: `done`, or the code of its failure. Anything but an OpenStackError is thrown on. */
export async function outcome(call: Promise<unknown>): Promise<"done" | OpenStackErrorCode> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (isOpenStackError(error)) return error.code;
    throw error;
  }
}

/** The same with Neutron's name for the failure: `Conflict IpAddressAlreadyAllocated`. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (isOpenStackError(error)) return `${error.code} ${error.type}`;
    throw error;
  }
}

/** The error's words. */
export async function complaint(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "";
  } catch (error) {
    return String(error);
  }
}

/** An id that nothing has. */
export const nobody = "00000000-0000-4000-8000-000000000001";

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
