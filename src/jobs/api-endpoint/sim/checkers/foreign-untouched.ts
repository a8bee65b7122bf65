// Own or leave, in the cloud: what is changed or deleted bears the mark of the one it is done for; or CAPO made it for this very cluster, and
// it came through the door that takes over. Names prove nothing.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { CloudChange } from "../../../../sim/fakes/openstack/cloud.ts";
import type { FloatingIpRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import { isFloatingIpMade, ownerTag } from "../../core/model/ownership.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { clusterOfRound, type EndpointSim, objectFor, ownerIdOf } from "../endpoint-sim.ts";
import type { SimOf } from "./endpoint-checkers.ts";

export function foreignUntouched(simOf: SimOf): Checker {
  return {
    name: "foreign-untouched",
    promise: "no balancer, listener, pool, monitor, member or floating IP without our mark is changed or deleted",
    watch: (_view, broken) => {
      const sim = simOf();
      sim.effects.on(({ call, changes }) => {
        const cluster = clusterOfRound(sim, call.actor);
        const owner = cluster === undefined ? undefined : ownerIdOf(objectFor(sim, cluster));
        for (const change of changes) {
          const why = whyForeign(sim, cluster, owner, change);
          if (why === undefined) continue;
          return broken(
            `${call.process.name}: ${call.verb} ${call.target} touched ${change.kind} ${change.id}, which ${why}`,
          );
        }
      });
    },
  };
}

interface Seen {
  readonly tags: readonly string[];
  readonly loadBalancerId?: string;
}

function whyForeign(
  sim: EndpointSim,
  cluster: EndpointCluster | undefined,
  owner: string | undefined,
  { kind, before, after, id }: CloudChange,
): string | undefined {
  if (before === undefined) return undefined;
  // The object may be gone in the middle of a move or a restore: then nobody can say.
  if (cluster === undefined || owner === undefined) return undefined;
  if (kind === "floatingips") return foreignFloatingIp(sim, { cluster, owner, id }, before as FloatingIpRecord, after);
  if (!["loadbalancers", "listeners", "pools", "healthmonitors", "members"].includes(kind)) return undefined;
  const { tags, loadBalancerId } = before as unknown as Seen;
  const balancerId = kind === "loadbalancers" ? id : (loadBalancerId ?? "");
  const balancer = sim.fake.cloud.tables.loadbalancers.get(balancerId);
  const isTakenOver = sim.legacy.get(balancerId) === cluster;
  if (
    balancer !== undefined &&
    !balancer.tags.includes(ownerTag(owner)) &&
    !isTakenOver &&
    !tags.includes(ownerTag(owner))
  )
    return "stands on a balancer without our mark";
  const isMarked = tags.includes(ownerTag(owner)) || isTakenOver;
  // That its balancer is busy is written to a foreign row, too.
  return isMarked || isSamePurpose(before, after) ? undefined : "bears no mark of ours";
}

function isSamePurpose(before: object, after: object | undefined): boolean {
  if (after === undefined || ("provisioningStatus" in after && after.provisioningStatus === "PENDING_DELETE"))
    return false;
  const essence = (row: object): string =>
    JSON.stringify({ ...row, provisioningStatus: "", operatingStatus: "", updatedAt: "" });
  return essence(before) === essence(after);
}

function foreignFloatingIp(
  sim: EndpointSim,
  { cluster, owner, id }: { readonly cluster: EndpointCluster; readonly owner: string; readonly id: string },
  before: FloatingIpRecord,
  after: object | undefined,
): string | undefined {
  if (isFloatingIpMade(before, owner) || sim.legacy.get(id) === cluster) return undefined;
  const isPrepared = sim.premade.has(id) && before.tags.includes(ownerTag(owner));
  if (!isPrepared) return "is not ours";
  return after === undefined ? "an operator prepared: it is theirs to delete" : undefined;
}
