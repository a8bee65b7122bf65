// An OpenStackCluster or an APIEndpoint as it would be, from a file. Its shape is checked here, since no API server has seen it; what
// it means is checked where every object is.

import { z } from "zod";
import { apiVersionOf, type KubeObject } from "../../../apis/kube/kube-object.ts";
import { isNot, isRecord } from "../../../apis/text/problem.ts";
import type { CliPorts } from "../../../cli/cli-ports.ts";
import { InvalidInput, orInvalid } from "../../../cli/invalid-input.ts";
import { parseYaml } from "../../../core/yaml-text.ts";
import { apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import {
  apiServerLoadBalancerSchema,
  networkParam,
  subnetParams,
} from "../apis/load-balancer/api-server-load-balancer-schema.ts";
import { openStackClusters, openStackClustersV1beta2 } from "../apis/openstack-cluster/openstack-cluster.ts";
import { type SpokenVersion, toV1beta1 } from "../apis/openstack-cluster/openstack-cluster-conversion.ts";
import { shapeOf } from "./shape-of-schema.ts";

const texts = z.record(z.string(), z.string());
const block = shapeOf(apiServerLoadBalancerSchema);
const spec = z.looseObject({
  identityRef: z.looseObject({ name: z.string(), cloudName: z.string() }).optional(),
  controlPlaneEndpoint: z.looseObject({ host: z.string().optional(), port: z.number().optional() }).optional(),
  apiServerLoadBalancer: block.optional(),
  clusterRef: z.looseObject({ name: z.string() }).optional(),
  network: shapeOf(networkParam).optional(),
  subnets: shapeOf(subnetParams).optional(),
  externalNetwork: shapeOf(networkParam).optional(),
  tags: z.array(z.string()).optional(),
});
/** What every object has: enough to put it into v1beta1. */
const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string().min(1),
    namespace: z.string().optional(),
    annotations: texts.optional(),
    labels: texts.optional(),
  }),
  spec: z.looseObject({ apiServer: z.looseObject({ managedLoadBalancer: block.optional() }).optional() }),
});
const proposal = object.extend({ spec });

export interface Proposal {
  /** In v1beta1. */
  readonly object: KubeObject;
  /** That it was written in. */
  readonly version: SpokenVersion;
}

export async function readProposal(path: string, { files, terminal }: CliPorts): Promise<Proposal> {
  const text = path === "-" ? await terminal.readInput() : await files.readText(path);
  const source = path === "-" ? "standard input" : path;
  const { value } = orInvalid(source, parseYaml(text, source));
  refuseOtherKinds(value, source);
  const given = usable(object.safeParse(value), value, source) as KubeObject;
  const isNewer = given.apiVersion === apiVersionOf(openStackClustersV1beta2);
  const older = isNewer ? toV1beta1(given) : given;
  const spoken = usable(proposal.safeParse(older), older, source) as KubeObject;
  return { object: spoken, version: isNewer ? "v1beta2" : "v1beta1" };
}

const accepted = [openStackClusters, openStackClustersV1beta2, apiEndpoints];

/** Of anything else nothing more needs to be said. */
function refuseOtherKinds(value: unknown, source: string): void {
  const { kind, apiVersion } = isRecord(value) ? value : {};
  const ofKind = accepted.filter((one) => one.kind === kind);
  if (ofKind.some((one) => apiVersionOf(one) === apiVersion)) return;
  const problem =
    ofKind.length === 0
      ? { where: isRecord(value) ? "kind" : source, message: isNot(isRecord(value) ? kind : value, either), hint }
      : {
          where: "apiVersion",
          message: isNot(apiVersion, `a version of ${String(kind)} that is known here`),
          hint: `Write ${ofKind.map(apiVersionOf).join(" or ")}.`,
        };
  throw new InvalidInput(`${source} cannot be used`, [problem]);
}

const either = `an ${openStackClusters.kind} or an ${apiEndpoints.kind}`;
const hint = `Give ${either} as it would be.`;
const expectations: Readonly<Record<string, string>> = {
  object: "a map",
  record: "a map",
  array: "a list",
  string: "text",
  number: "a number",
  boolean: "true or false",
};

function usable(checked: z.ZodSafeParseResult<unknown>, value: unknown, source: string): unknown {
  if (checked.success) return checked.data;
  throw new InvalidInput(
    `${source} cannot be used`,
    checked.error.issues.map((issue) => {
      const expected = issue.code === "invalid_type" ? expectations[issue.expected] : undefined;
      const message = expected === undefined ? issue.message : isNot(valueOf(value, issue.path), expected);
      return { where: issue.path.map(String).join(".") || source, message, hint };
    }),
  );
}

/** Lists included. */
function valueOf(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Readonly<Record<PropertyKey, unknown>>)[name] : undefined,
    value,
  );
}
