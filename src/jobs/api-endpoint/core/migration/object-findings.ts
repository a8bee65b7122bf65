// What the objects say about a move, without asking the cloud: which door, which endpoint, whose network, and what admission would
// refuse.

import { isDnsName, withoutClosingDot } from "../../../../apis/text/dns-name.ts";
import type { Problem } from "../../../../apis/text/problem.ts";
import { externallyManagedAnnotation } from "../../apis/annotations.ts";
import { capoFinalizer } from "../../apis/openstack-cluster/openstack-cluster.ts";
import { zonesOf } from "../model/intent.ts";
import type { MigrationInput } from "./migration-check.ts";
import { type MigrationFinding, no, note, ok, unknown } from "./migration-finding.ts";

export function objectFindings(input: MigrationInput): readonly MigrationFinding[] {
  const endpoint = endpointFinding(input);
  return [
    proposalFinding(input),
    doorFinding(input),
    ...bothDoors(input),
    endpoint,
    ...specFindings(input, endpoint.result === "no"),
    ...(input.warnings ?? []).map((warning) => note("spec", warning)),
    ...managedNetwork(input),
    ...leftFinalizer(input),
    ...handsOff(input),
  ];
}

function proposalFinding({ observed: { intent } }: MigrationInput): MigrationFinding {
  const zones = zonesOf(intent).map(({ zone }) => zone);
  if (intent.mode === "zones") return ok("proposal", `one balancer for each of ${zones.join(", ")}`);
  if (intent.mode === "none")
    return no(
      "proposal",
      `the ${intent.door} asks for no balancers: its enabled is false`,
      "Set enabled: true, with availabilityZoneSubnets.",
    );
  const fix = "Give the object as it would be, with availabilityZoneSubnets, in a file: -f object.yaml.";
  return no("proposal", `the ${intent.door} asks for no zones`, fix);
}

function doorFinding({
  observed: { intent },
  definition,
  isClaimed,
  servesApiEndpoint,
}: MigrationInput): MigrationFinding {
  const check = "door";
  const other = "Propose an APIEndpoint instead: it works beside CAPO, which stays as it is.";
  if (intent.door === "APIEndpoint" && !servesApiEndpoint)
    return no(check, "the cluster does not know APIEndpoints", "Run mainstay crds install.");
  if (intent.door === "APIEndpoint")
    return definition === "ours"
      ? note(
          check,
          "an APIEndpoint will do; the definition of OpenStackCluster is ours, so the OpenStackCluster itself would too",
        )
      : ok(check, "APIEndpoint: CAPO and its OpenStackCluster stay as they are");
  if (definition === "foreign")
    return no(
      check,
      "the definition of OpenStackCluster is CAPO's: it drops the mapping, and its webhook refuses it",
      other,
    );
  if (definition === "absent") return no(check, "the cluster has no definition of OpenStackCluster", other);
  if (definition === "unseen")
    return unknown(
      check,
      "whose the definition of OpenStackCluster is cannot be seen",
      "Ask for the right to get customresourcedefinitions.",
    );
  return isClaimed
    ? ok(check, "OpenStackCluster: its definition is ours, and Mainstay manages the object")
    : note(
        check,
        "OpenStackCluster: its definition is ours; the object is nobody's yet",
        `Annotate it with ${externallyManagedAnnotation}=mainstay.`,
      );
}

/** Two objects that ask for balancers of one cluster would make them twice. */
function bothDoors({ observed: { intent }, infrastructure, isClaimed }: MigrationInput): readonly MigrationFinding[] {
  const isDouble = intent.door === "APIEndpoint" && isClaimed && infrastructure?.hasBalancers === true;
  return isDouble
    ? [no("two doors", "the OpenStackCluster is Mainstay's and asks for balancers, too", "Use one of the two.")]
    : [];
}

/** The Cluster's endpoint decides: kubeconfigs, certificates and nodes hold it. */
function endpointFinding({ observed: { intent } }: MigrationInput): MigrationFinding {
  const check = "endpoint";
  const own = withoutClosingDot(intent.endpoint?.host ?? "");
  const host = withoutClosingDot(intent.clusterEndpoint?.host || own);
  const name = "Set spec.controlPlaneEndpoint.host to the DNS name that clients use.";
  if (host === "") return no(check, "the cluster has no endpoint yet", name);
  if (!isDnsName(host))
    return no(
      check,
      `${host} is no DNS name; kubeconfigs, certificates and nodes hold it, and one address cannot stand for many balancers`,
      "This cluster stays with one balancer. Build a new one with a DNS name as endpoint, and move what runs on it.",
    );
  if (own === "") return no(check, `the Cluster's is ${host}, and the ${intent.door} names none`, name);
  if (!isDnsName(own) && intent.door === "OpenStackCluster")
    return no(
      check,
      `the Cluster's is ${host}, but the OpenStackCluster holds ${own}, which cannot change`,
      "Leave the OpenStackCluster to CAPO and propose an APIEndpoint.",
    );
  if (own !== host)
    return note(
      check,
      `the Cluster's is ${host}, the ${intent.door} names ${own}: records are made for ${own}`,
      "Name the Cluster's.",
    );
  return ok(check, `${host} is a DNS name`);
}

function specFindings({ observed: { problems = [] }, updateProblems }: MigrationInput, isEndpointSaid: boolean) {
  const isSaid = ({ where }: Problem) => isEndpointSaid && where.endsWith("controlPlaneEndpoint.host");
  const all = new Map(
    [...problems, ...updateProblems].filter((one) => !isSaid(one)).map((one) => [`${one.where} ${one.message}`, one]),
  );
  return all.size === 0
    ? [ok("spec", "admission would take it")]
    : [...all.values()].map(({ where, message, hint }) => no("spec", `${where}: ${message}`, hint));
}

function managedNetwork({ observed: { intent }, infrastructure }: MigrationInput): readonly MigrationFinding[] {
  if (infrastructure?.hasManagedSubnets !== true) return [];
  const says = "managedSubnets: CAPO makes this cluster's network";
  return intent.door === "OpenStackCluster"
    ? [
        no(
          "network",
          `${says}, and Mainstay makes none`,
          "Leave the OpenStackCluster to CAPO and propose an APIEndpoint with subnets that are there.",
        ),
      ]
    : [note("network", `${says}; the subnets of the mapping must be there before, and are not CAPO's to delete`)];
}

/** CAPO removes its finalizer only from objects that nobody else manages: a deletion would hang on it for ever. */
function leftFinalizer(input: MigrationInput): readonly MigrationFinding[] {
  if (!hasCapoFinalizer(input)) return [];
  const { madeByCapo = [] } = input.infrastructure ?? {};
  const rest =
    madeByCapo.length === 0
      ? ""
      : `; what CAPO made by ${madeByCapo.join(", ")} is then yours to delete with the cluster`;
  const says = `${capoFinalizer} is CAPO's, and nobody takes it away once CAPO has let go: the cluster could never be deleted`;
  return [note("finalizer", says, `Remove it after the hand-over${rest}.`)];
}

export function hasCapoFinalizer({ observed: { intent, object } }: MigrationInput): boolean {
  return intent.door === "OpenStackCluster" && (object.foreignFinalizers ?? []).includes(capoFinalizer);
}

function handsOff({ observed: { object, intent } }: MigrationInput): readonly MigrationFinding[] {
  return [
    ...(object.paused ? [note("paused", "nothing is done while the cluster is paused", "Unpause it.")] : []),
    ...(intent.deleting ? [no("deletion", "the object is being deleted", "There is nothing to move.")] : []),
  ];
}
