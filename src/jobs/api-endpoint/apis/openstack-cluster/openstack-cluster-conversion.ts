// OpenStackCluster between v1beta1 and v1beta2, both ways, for every field that both have. Fields that only moved are a table;
// those that changed shape have a function of their own. Whatever one version cannot say is kept by conversion-remainder.ts.

import { convertKeepingAll } from "../../../../apis/kube/conversion-remainder.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { type JsonPath, type JsonRecord, valueAt, withValueAt } from "../../../../apis/text/json-path.ts";
import { isRecord } from "../../../../apis/text/problem.ts";
import { fromV1beta2Bastion, toV1beta2Bastion } from "./openstack-bastion-conversion.ts";
import type { OpenStackCluster, OpenStackClusterV1beta2 } from "./openstack-cluster.ts";
import { fromV1beta2Status, toV1beta2Status } from "./openstack-cluster-status-conversion.ts";

export interface Move {
  readonly old: JsonPath;
  readonly new: JsonPath;
  /** Yes became no. */
  readonly inverted?: true;
}

const move = (old: string, to: string): Move => ({ old: old.split("."), new: to.split(".") });
const invert = (old: string, to: string): Move => ({ ...move(old, to), inverted: true });

/** Fields that have another name in v1beta2, or mean the opposite there. */
export const moves: readonly Move[] = [
  move("spec.apiServerLoadBalancer", "spec.apiServer.managedLoadBalancer"),
  move("spec.apiServerFloatingIP", "spec.apiServer.floatingIP"),
  move("spec.apiServerFixedIP", "spec.apiServer.fixedIP"),
  move("spec.apiServerPort", "spec.apiServer.port"),
  invert("spec.disableAPIServerFloatingIP", "spec.apiServer.enableFloatingIP"),
  invert("spec.disableExternalNetwork", "spec.enableExternalNetwork"),
  move("spec.networkMTU", "spec.managedNetwork.mtu"),
  invert("spec.disablePortSecurity", "spec.managedNetwork.enablePortSecurity"),
  move("spec.externalRouterIPs", "spec.managedRouter.externalIPs"),
  move(
    "spec.managedSecurityGroups.allNodesSecurityGroupRules",
    "spec.managedSecurityGroups.clusterNodesSecurityGroupRules",
  ),
  move("status.apiServerLoadBalancer", "status.apiServerManagedLoadBalancer"),
  move("status.apiServerLoadBalancers", "status.apiServerManagedLoadBalancers"),
];

export function toV1beta2(object: OpenStackCluster): OpenStackClusterV1beta2 {
  if (object.apiVersion.endsWith("/v1beta2")) return object as KubeObject;
  return convertKeepingAll(object, { from: "v1beta1", to: "v1beta2", there: up, back: down });
}

export function toV1beta1(object: OpenStackClusterV1beta2): OpenStackCluster {
  if (object.apiVersion.endsWith("/v1beta1")) return object as KubeObject;
  return convertKeepingAll(object, { from: "v1beta2", to: "v1beta1", there: down, back: up });
}

/** For the webhook: any OpenStackCluster to the version that was asked for; undefined when it knows no such version. */
export function convertOpenStackCluster(object: KubeObject, apiVersion: string): KubeObject | undefined {
  const isOurs = (one: string) => /^infrastructure\.cluster\.x-k8s\.io\/v1beta[12]$/.test(one);
  if (object.kind !== "OpenStackCluster" || !isOurs(object.apiVersion) || !isOurs(apiVersion)) return undefined;
  return apiVersion.endsWith("/v1beta2") ? toV1beta2(object) : toV1beta1(object);
}

export type SpokenVersion = "v1beta1" | "v1beta2";

export function spokenVersion(version: string): SpokenVersion {
  return version === "v1beta2" ? "v1beta2" : "v1beta1";
}

/** A text that names fields of v1beta1, with their names in the version that somebody speaks. */
export function fieldIn(version: SpokenVersion, text: string): string {
  if (version === "v1beta1") return text;
  const renamed = new Map(moves.map((one) => [one.old.join("."), one.new.join(".")]));
  const names = [...renamed.keys()].toSorted((a, b) => b.length - a.length).map((name) => name.replaceAll(".", "[.]"));
  return text.replace(new RegExp(`\\b(${names.join("|")})\\b`, "g"), (name) => renamed.get(name) ?? name);
}

function up(object: JsonRecord): JsonRecord {
  const moved = moveAll(object, moves);
  return shaped(moved, { endpoint: toV1beta2Endpoint, bastion: toV1beta2Bastion, status: toV1beta2Status });
}

function down(object: JsonRecord): JsonRecord {
  const reversed = moves.map((one) => ({ ...one, old: one.new, new: one.old }));
  const moved = moveAll(object, reversed);
  return shaped(moved, { endpoint: fromV1beta2Endpoint, bastion: fromV1beta2Bastion, status: fromV1beta2Status });
}

/** What v1beta2 made groups of. They exist only for what is in them. */
const groups: readonly JsonPath[] = ["apiServer", "managedNetwork", "managedRouter"].map((name) => ["spec", name]);

/** Names of the other version mean nothing in this one, so what is found under them is not taken for theirs. */
function moveAll(object: JsonRecord, table: readonly Move[]): JsonRecord {
  const cleared = table
    .flatMap((one) => [one.old, one.new])
    .reduce((rest, path) => withValueAt(rest, path, undefined), object);
  const moved = table.reduce((rest, one) => {
    const value = valueAt(object, one.old);
    if (value === undefined || (one.inverted === true && typeof value !== "boolean")) return rest;
    return withValueAt(rest, one.new, one.inverted === true ? !value : value);
  }, cleared);
  return groups.reduce(
    (rest, path) => (isEmptyRecord(valueAt(rest, path)) ? withValueAt(rest, path, undefined) : rest),
    moved,
  );
}

function isEmptyRecord(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

type Shape = (value: JsonRecord) => JsonRecord | undefined;

function shaped(object: JsonRecord, shapes: { endpoint: Shape; bastion: Shape; status: Shape }): JsonRecord {
  const places: readonly (readonly [JsonPath, Shape])[] = [
    [["spec", "controlPlaneEndpoint"], shapes.endpoint],
    [["spec", "bastion"], shapes.bastion],
    [["status"], shapes.status],
  ];
  return places.reduce((rest, [path, shape]) => {
    const value = valueAt(rest, path);
    return isRecord(value) ? withValueAt(rest, path, shape(value)) : rest;
  }, object);
}

/** v1beta2 leaves out what is not set, and an endpoint that says nothing. */
function toV1beta2Endpoint({ host, port, ...others }: JsonRecord): JsonRecord | undefined {
  const said = {
    ...others,
    ...(host === undefined || host === "" ? {} : { host }),
    ...(port === undefined || port === 0 ? {} : { port }),
  };
  return Object.keys(said).length === 0 ? undefined : said;
}

/** v1beta1 has both, or no endpoint. */
function fromV1beta2Endpoint(endpoint: JsonRecord): JsonRecord | undefined {
  const said = toV1beta2Endpoint(endpoint);
  return said === undefined ? undefined : { host: "", port: 0, ...said };
}
