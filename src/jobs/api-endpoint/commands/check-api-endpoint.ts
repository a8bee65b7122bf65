// Is the api-endpoint job set up well? Which door fits, whose the definition of OpenStackCluster is, which objects ask for what
// nobody here does, and whether admission is asked.

import { formatRef, type Kind, type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import { validatingWebhookConfigurations } from "../../../apis/kube/webhook-configuration.ts";
import { settingsOf } from "../../../cli/configuration/configuration.ts";
import { type Finding, fail, ok, warn } from "../../../cli/doctor/finding.ts";
import type { JobCheck } from "../../../cli/job-commands.ts";
import { conditionsOf, findCondition } from "../../../core/conditions.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import { roundFailed } from "../../../engine/report/failed-rounds.ts";
import { firstServedVersion, inVersions } from "../../../engine/round/first-served-version.ts";
import { listEverything } from "../../../engine/round/list-everything.ts";
import type { KubeReader, Selection } from "../../../ports/kube.ts";
import { type ApiEndpoint, apiEndpoints } from "../apis/api-endpoint/api-endpoint.ts";
import { type OpenStackCluster, openStackClusters } from "../apis/openstack-cluster/openstack-cluster.ts";
import { type Claims, openStackClusterDoor, ownerCluster } from "../core/front-doors/open-stack-cluster-door.ts";
import { apiEndpointJob } from "../job.ts";
import { checkClouds } from "./check-clouds.ts";
import { isClaimed } from "./front-door-of.ts";
import { type DefinitionOwner, definitionOwner, inV1beta1 } from "./read-cluster.ts";

export async function checkApiEndpoint({
  kube,
  configuration,
  openStack,
  shipped,
}: JobCheck): Promise<readonly Finding[]> {
  const isOn = (controller: string) => configuration.controllers[controller]?.enabled ?? true;
  if (!isOn("openstack-cluster") && !isOn("api-endpoint")) return [];
  const definition = await definitionOwner(kube);
  const selection = configuration.namespace === undefined ? {} : { namespace: configuration.namespace };
  const versions = definition === "foreign" ? ["v1beta2", "v1beta1"] : ["v1beta1"];
  const clusters = (await objectsOf(kube, openStackClusters, versions, selection)).map(inV1beta1);
  const beside: readonly ApiEndpoint[] = await objectsOf(kube, apiEndpoints, [apiEndpoints.version], selection);
  const { claims } = settingsOf(configuration, apiEndpointJob);
  const claimed = clusters.filter((object) => isOn("openstack-cluster") && isClaimed(object, claims));
  const ours = [...(definition === "ours" ? claimed : []), ...beside];
  return [
    doorFinding(definition),
    ...misplaced(definition, claimed),
    ...(definition === "ours" && isOn("openstack-cluster") ? unclaimed(clusters, claims) : []),
    ...failing([...claimed, ...beside]),
    ...managedNetworks(definition === "foreign" ? [] : claimed),
    ...managedBeside(clusters, beside),
    ...(ours.length === 0 ? [] : [await webhookFinding(kube, shipped)]),
    ...(await checkClouds(ours, { kube, claims, ...(openStack === undefined ? {} : { openStack }) })),
  ];
}

function doorFinding(definition: DefinitionOwner): Finding {
  const check = "api-endpoint";
  const doors: Readonly<Record<DefinitionOwner, Finding>> = {
    ours: ok(
      check,
      "OpenStackClusters are Mainstay's own here, and can ask for one balancer per zone; so can an APIEndpoint",
    ),
    foreign: ok(
      check,
      "the definition of OpenStackCluster is CAPO's and is left alone; an APIEndpoint beside a cluster asks for one balancer per zone",
    ),
    absent: ok(check, "there is no OpenStackCluster here; an APIEndpoint beside a cluster would do"),
    unseen: warn(
      check,
      "whose the definition of OpenStackCluster is cannot be seen",
      "Ask for the right to get customresourcedefinitions.",
    ),
  };
  return doors[definition];
}

/** CAPO's conversion drops the mapping, so such an object would look as if it asked for one balancer. */
function misplaced(definition: DefinitionOwner, claimed: readonly OpenStackCluster[]): readonly Finding[] {
  if (definition !== "foreign" || claimed.length === 0) return [];
  const names = claimed.map((object) => formatRef(refOf(object))).join(", ");
  return [
    fail(
      "api-endpoint",
      `${names}: marked as managed by Mainstay, but the definition is CAPO's and drops what Mainstay needs`,
      "Remove the annotation cluster.x-k8s.io/managed-by (or set apiEndpoint.claims to annotated), and make an APIEndpoint beside each.",
    ),
  ];
}

/** Where the definition is ours, such an object is more often forgotten than somebody else's. */
function unclaimed(clusters: readonly OpenStackCluster[], claims: Claims): readonly Finding[] {
  const door = openStackClusterDoor(claims);
  return clusters
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((object) =>
      door
        .lacks(object)
        .map(({ says, fix }) =>
          warn(`OpenStackCluster ${formatRef(refOf(object))}`, `Mainstay does not manage it: ${says}`, fix),
        ),
    );
}

/** Rounds that end before they can report leave everything else of the status as it was. */
function failing(objects: readonly KubeObject[]): readonly Finding[] {
  return objects.flatMap((object) => {
    const failed = findCondition(conditionsOf(object), roundFailed);
    if (failed?.status !== "True") return [];
    return [
      fail(
        `${object.kind} ${formatRef(refOf(object))}`,
        failed.message,
        `mainstay runbook ${failed.reason} says what to do.`,
      ),
    ];
  });
}

function managedNetworks(clusters: readonly OpenStackCluster[]): readonly Finding[] {
  return clusters
    .filter(({ spec }) => (spec?.managedSubnets ?? []).length > 0)
    .map((object) =>
      fail(
        `OpenStackCluster ${formatRef(refOf(object))}`,
        "it asks for managedSubnets, and Mainstay makes no networks",
        "Make network, subnets and router yourself and name them under network and subnets; or leave the object to CAPO and use an APIEndpoint.",
      ),
    );
}

/** Beside CAPO this works, as long as people know whose the network is. */
function managedBeside(clusters: readonly OpenStackCluster[], beside: readonly ApiEndpoint[]): readonly Finding[] {
  const isBeside = (object: OpenStackCluster) => {
    const owner = ownerCluster(object);
    return beside.some(
      ({ metadata, spec }) => owner?.name === spec?.clusterRef?.name && owner?.namespace === metadata.namespace,
    );
  };
  return clusters
    .filter((object) => (object.spec?.managedSubnets ?? []).length > 0 && isBeside(object))
    .map((object) =>
      warn(
        `OpenStackCluster ${formatRef(refOf(object))}`,
        "CAPO makes its network (managedSubnets), and an APIEndpoint puts balancers beside it",
        "Give the APIEndpoint subnets that are yours, or delete it before the cluster: CAPO cannot delete a network with balancers in it.",
      ),
    );
}

async function webhookFinding(kube: KubeReader, shipped: JobCheck["shipped"]): Promise<Finding> {
  const check = "admission";
  try {
    await kube.get(validatingWebhookConfigurations, { name: "mainstay" });
    return ok(check, "the API server asks Mainstay before it takes an object");
  } catch (error) {
    if (isKubeError(error, "Forbidden"))
      return warn(
        check,
        "whether there is a webhook cannot be seen",
        "Ask for the right to get validatingwebhookconfigurations.",
      );
    if (!isKubeError(error, "NotFound")) throw error;
    const says = "there is no webhook: what is wrong with an object shows in its conditions, after it was taken";
    return warn(check, says, `Apply ${shipped("deploy/webhook")}, and turn webhook.enabled on.`);
  }
}

/** In the first version that is served; none where they may not be listed, which other checks say. */
async function objectsOf(
  kube: KubeReader,
  kind: Kind,
  versions: readonly string[],
  selection: Selection,
): Promise<readonly KubeObject[]> {
  try {
    return (
      (await firstServedVersion(inVersions(kind, versions), (served) => listEverything(kube, served, selection))) ?? []
    );
  } catch (error) {
    if (isKubeError(error, "Forbidden")) return [];
    throw error;
  }
}
