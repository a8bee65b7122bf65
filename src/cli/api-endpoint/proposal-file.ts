// An OpenStackCluster or an APIEndpoint as it would be, from a file. Its shape is checked here, since no API server has seen it; what
// it means is checked where every object is.

import { z } from "zod";
import { apiEndpoints } from "../../apis/api-endpoint.ts";
import type { KubeObject } from "../../apis/kube-object.ts";
import { openStackClusters } from "../../apis/openstack-cluster.ts";
import { toV1beta1 } from "../../apis/openstack-cluster-conversion.ts";
import { parseYaml } from "../../controllers/yaml-text.ts";
import type { CliPorts } from "../cli-ports.ts";
import { InvalidInput, orInvalid } from "../invalid-input.ts";

const texts = z.record(z.string(), z.string());
const selector = z.looseObject({ id: z.string().optional(), filter: z.looseObject({}).optional() });
const block = z.looseObject({
  enabled: z.boolean().optional(),
  network: selector.optional(),
  subnets: z.array(selector).optional(),
  additionalPorts: z.array(z.number()).optional(),
  allowedCIDRs: z.array(z.string()).optional(),
  monitor: z.looseObject({}).optional(),
  availabilityZoneSubnets: z.array(z.looseObject({ availabilityZone: z.string(), subnet: selector })).optional(),
  allowCrossAZLoadBalancerMembers: z.boolean().optional(),
});
const spec = z.looseObject({
  identityRef: z.looseObject({ name: z.string(), cloudName: z.string() }).optional(),
  controlPlaneEndpoint: z.looseObject({ host: z.string().optional(), port: z.number().optional() }).optional(),
  apiServerLoadBalancer: block.optional(),
  clusterRef: z.looseObject({ name: z.string() }).optional(),
  network: selector.optional(),
  subnets: z.array(selector).optional(),
  externalNetwork: selector.optional(),
  tags: z.array(z.string()).optional(),
});
/** What every object has: enough to put it into v1beta1. */
const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.enum([openStackClusters.kind, apiEndpoints.kind]),
  metadata: z.looseObject({
    name: z.string().min(1),
    namespace: z.string().optional(),
    annotations: texts.optional(),
    labels: texts.optional(),
  }),
  spec: z.looseObject({ apiServer: z.looseObject({ managedLoadBalancer: block.optional() }).optional() }),
});
const proposal = object.extend({ spec });

export async function readProposal(path: string, { files, terminal }: CliPorts): Promise<KubeObject> {
  const text = path === "-" ? await terminal.readInput() : await files.readText(path);
  const source = path === "-" ? "standard input" : path;
  const { value } = orInvalid(source, parseYaml(text, source));
  const given = usable(object.safeParse(value), source) as KubeObject;
  const isNewer = given.kind === openStackClusters.kind && given.apiVersion === `${openStackClusters.group}/v1beta2`;
  return usable(proposal.safeParse(isNewer ? toV1beta1(given) : given), source) as KubeObject;
}

function usable(checked: z.ZodSafeParseResult<unknown>, source: string): unknown {
  if (checked.success) return checked.data;
  throw new InvalidInput(
    `${source} cannot be used`,
    checked.error.issues.map(({ path: at, message }) => ({
      where: at.map(String).join(".") || source,
      message,
      hint: `Give an ${openStackClusters.kind} or an ${apiEndpoints.kind} as it would be.`,
    })),
  );
}
