// Which changes of the block and the endpoint are refused: those that Octavia cannot carry out on a balancer that is there, and
// those that would strand clients. Everything else may change at any time: mappings come, go and change places, cross-zone
// membership, ports, access lists, monitors, and the whole block.

import { sameJson } from "../../../../apis/text/json-path.ts";
import { type Problem, quote } from "../../../../apis/text/problem.ts";
import {
  type ApiServerLoadBalancer,
  type ControlPlaneEndpoint,
  isEnabled,
  type LoadBalancerStatus,
  mappingsOf,
  type Param,
  type ZoneLoadBalancerStatus,
} from "./api-server-load-balancer.ts";
import { meantField, unknownFields } from "./unknown-fields.ts";

/** What is known of the balancers of the object before the change. */
export interface RecordedBalancers {
  /** False: nobody has reported yet, or the status was lost on a move. Then a balancer may be there for all we know. */
  readonly isReported: boolean;
  readonly zones: readonly ZoneLoadBalancerStatus[];
  readonly single: LoadBalancerStatus | undefined;
}

export interface BlockChange {
  readonly before: ApiServerLoadBalancer | undefined;
  readonly after: ApiServerLoadBalancer | undefined;
  readonly recorded: RecordedBalancers;
  /** Where the block is. */
  readonly at: string;
}

export function blockUpdateProblems(change: BlockChange): readonly Problem[] {
  const { before, after } = change;
  const misspelt = misspeltProblems(change);
  // Where it is close to a known one, validation says which was meant.
  if (misspelt.length > 0) return misspelt.filter(({ name }) => meantField(name) === undefined);
  // With no balancer before or after, nothing that exists would have to change.
  if (!isEnabled(before) || !isEnabled(after) || before === undefined || after === undefined) return [];
  const wasMapped = mappingsOf(before).length > 0;
  const isMapped = mappingsOf(after).length > 0;
  return [
    ...fixedProblems(change, "provider"),
    ...fixedProblems(change, "flavor"),
    ...(wasMapped && isMapped ? zonesProblems(change) : []),
    ...(wasMapped || isMapped ? [] : singleProblems(change)),
  ];
}

/** A field that we do not know comes, and one that we know goes: one wrong letter must not take zones away. */
function misspeltProblems({ before, after, at }: BlockChange): readonly (Problem & { readonly name: string })[] {
  if (before === undefined || after === undefined) return [];
  const gone = Object.keys(before).filter(
    (name) => !Object.hasOwn(after, name) && !unknownFields(before).includes(name),
  );
  if (gone.length === 0) return [];
  return unknownFields(after)
    .filter((name) => !Object.hasOwn(before, name))
    .map((name) => ({
      name,
      where: `${at}.${name}`,
      message: `it is not known, and the same change takes ${gone.join(" and ")} away`,
      hint: `If it is misspelt, correct it; if ${gone.join(" and ")} shall go, remove this one, too.`,
    }));
}

function fixedProblems({ before, after, recorded, at }: BlockChange, name: "provider" | "flavor"): readonly Problem[] {
  const [was, is] = [before?.[name] ?? "", after?.[name] ?? ""];
  const isNoneThere = recorded.isReported && ![recorded.single, ...recorded.zones].some((one) => one?.id);
  if (was === is || isNoneThere) return [];
  const message = `it cannot change from ${quote(was)} to ${quote(is)} while there are balancers`;
  return [
    {
      where: `${at}.${name}`,
      message,
      hint: "Set enabled to false, wait until the balancers are gone, then change it.",
    },
  ];
}

function zonesProblems({ before, after, recorded, at }: BlockChange): readonly Problem[] {
  const found: Problem[] = [];
  const stays = mappingsOf(after).flatMap((is, index) => {
    const was = mappingsOf(before).find(({ availabilityZone }) => availabilityZone === is.availabilityZone);
    return was === undefined ? [] : [{ was, is, index }];
  });
  const isBuilt = stays.some(({ is }) => !isFreeIn(recorded, is.availabilityZone));
  const networkOf = recorded.zones.map(({ loadBalancerNetwork }) => loadBalancerNetwork?.id);
  if (isBuilt && !isSamePlace(before?.network, after?.network, networkOf)) {
    const message = "it cannot change while a mapped zone stays";
    found.push({
      where: `${at}.network`,
      message,
      hint: "Addresses cannot move to another network: replace the zones one by one.",
    });
  }
  for (const { was, is, index } of stays) {
    const entry = recorded.zones.find(({ availabilityZone }) => availabilityZone === is.availabilityZone);
    if (
      isFreeIn(recorded, is.availabilityZone) ||
      isSamePlace(was.subnet, is.subnet, [entry?.loadBalancerNetwork?.subnets?.[0]?.id])
    )
      continue;
    const message = `the subnet of zone ${quote(is.availabilityZone)} cannot change: its balancer keeps its address`;
    const hint = "Remove the zone, wait until its balancer is gone, then add it with the other subnet.";
    found.push({ where: `${at}.availabilityZoneSubnets[${index}].subnet`, message, hint });
  }
  return found;
}

/** No balancer is there yet, and we know it. */
function isFreeIn({ isReported, zones }: RecordedBalancers, zone: string): boolean {
  return isReported && zones.find(({ availabilityZone }) => availabilityZone === zone)?.id === undefined;
}

function singleProblems({ before, after, recorded, at }: BlockChange): readonly Problem[] {
  if (recorded.isReported && !recorded.single?.id) return [];
  const hint =
    "The balancer keeps its address and its zone: add availabilityZoneSubnets to move to one balancer per zone.";
  const place = recorded.single?.loadBalancerNetwork;
  const [was, is] = [before?.subnets ?? [], after?.subnets ?? []];
  const found: Problem[] = [];
  if (!isSamePlace(before?.network, after?.network, [place?.id])) {
    found.push({ where: `${at}.network`, message: "it cannot change while there is a balancer", hint });
  }
  if (!isSamePlace(was[0], is[0], [place?.subnets?.[0]?.id])) {
    found.push({ where: `${at}.subnets`, message: "the first cannot change while there is a balancer", hint });
  }
  if ((before?.availabilityZone ?? "") !== (after?.availabilityZone ?? "")) {
    found.push({ where: `${at}.availabilityZone`, message: "it cannot change while there is a balancer", hint });
  }
  return found;
}

/** Equal, or the id of what a filter had led to. */
function isSamePlace(
  before: Param<unknown> | undefined,
  after: Param<unknown> | undefined,
  recorded: readonly (string | undefined)[],
): boolean {
  if (sameJson(before, after)) return true;
  const [id] = recorded;
  return after?.id !== undefined && id !== undefined && recorded.every((one) => one === after.id);
}

export interface AddressChange {
  /** The field. */
  readonly where: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
  /** The address that is in use. */
  readonly current: string | undefined;
}

/** A balancer keeps its addresses. Removing the wish changes nothing, and saying what is true already neither. */
export function addressChangeProblems({ where, was, is, current }: AddressChange): readonly Problem[] {
  if (!is || is === was || !current || is === current) return [];
  const message = `${quote(is)} is not the address ${current} that is in use`;
  return [{ where, message, hint: "The balancer keeps its addresses." }];
}

/** Fixed once it has a host, for every kubeconfig and every node holds it. A missing port may be filled in. */
export function endpointUpdateProblems(
  before: ControlPlaneEndpoint | undefined,
  after: ControlPlaneEndpoint | undefined,
  at: string,
): readonly Problem[] {
  const { host: wasHost = "", port: wasPort = 0 } = before ?? {};
  const { host = "", port = 0 } = after ?? {};
  if (wasHost === "") return [];
  const hint = "Clients, certificates and nodes hold it: it stays as long as the cluster.";
  return [
    ...(host === wasHost
      ? []
      : [{ where: `${at}.host`, message: `it cannot change from ${quote(wasHost)} to ${quote(host)}`, hint }]),
    ...(wasPort === 0 || port === wasPort
      ? []
      : [{ where: `${at}.port`, message: `it cannot change from ${wasPort} to ${port}`, hint }]),
  ];
}
