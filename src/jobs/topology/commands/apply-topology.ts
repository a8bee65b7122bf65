// Brings a declared topology into a cluster, with the planner the controller uses: first the declaration, then `status`,
// then the record of it. A run that was cut off anywhere is resumed by the next one, or by the controller. Values that are
// set already are never overwritten.

import { invariant, MainstayError } from "../../../core/errors.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { Kube } from "../../../ports/kube.ts";
import {
  declaredAnnotation,
  type Infrastructure,
  infrastructureName,
  infrastructures,
  recordedAnnotation,
} from "../apis/infrastructure.ts";
import { annotate, publishTopology, type Version } from "../controller/execute.ts";
import { publishedIn, type TopologyObserved } from "../core/assess.ts";
import {
  type Declaration,
  declarationOf,
  encodeDeclaration,
  encodeRecorded,
  recordedOf,
  topologyFields,
} from "../core/declaration.ts";
import { planTopology, type TopologyRules } from "../core/plan.ts";
import { absentInfrastructure } from "./live-topology.ts";
import { manifestFor } from "./manifest.ts";

export interface Applied {
  readonly object: Infrastructure;
  /** What was done, in words; empty when everything stood there already. */
  readonly steps: readonly string[];
}

const maxRounds = 12;

export async function applyTopology(kube: Kube, declaration: Declaration): Promise<Applied> {
  const steps: string[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const object = await kube.get(infrastructures, { name: infrastructureName }).catch(absentInfrastructure);
    try {
      const step = object === undefined ? await create(kube, declaration) : await advance(kube, object, declaration);
      if (step === undefined && object !== undefined) return { object: agreed(object, declaration), steps };
      if (step !== undefined) steps.push(step);
    } catch (error) {
      // Somebody else, most likely the controller, was faster: look again.
      if (!isKubeError(error, "Conflict", "AlreadyExists")) throw error;
    }
  }
  throw new MainstayError({
    reason: "WriteConflict",
    message: `Infrastructure/${infrastructureName} kept changing during ${maxRounds} attempts`,
    hint: "Run the command again; it goes on where it stopped.",
  });
}

async function create(kube: Kube, declaration: Declaration): Promise<string> {
  // `status` would be dropped; the declaration says that both fields are empty because the object is new.
  const { status: _dropped, ...object } = manifestFor({ ...declaration, emptyFields: topologyFields });
  await kube.create(infrastructures, object);
  return "created Infrastructure/cluster with the declaration";
}

async function advance(kube: Kube, object: Infrastructure, declaration: Declaration): Promise<string | undefined> {
  const { name, resourceVersion = "" } = object.metadata;
  const version = { name, resourceVersion };
  const published = publishedIn(object);
  const emptyFields = topologyFields.filter((field) => published[field] === "");
  if (declarationOf(object) === undefined && emptyFields.length > 0) {
    await annotate(kube, version, { [declaredAnnotation]: encodeDeclaration({ ...declaration, emptyFields }) }, {});
    return "wrote the declaration";
  }
  const [action] = planTopology(alone(object), immutable).actions;
  if (action === undefined) return await confirm(kube, object, version, declaration);
  if (action.kind === "publish") {
    refuseOtherDeclaration(object, declaration);
    await publishTopology(kube, action, action, {});
    return "published status";
  }
  invariant(action.kind === "record", `filling an object takes no ${action.kind}`);
  await annotate(kube, action, { [recordedAnnotation]: encodeRecorded(action) }, {});
  return "recorded what was published";
}

/** Where the cluster holds what is declared now, an edit or an earlier declaration that says otherwise is settled. */
async function confirm(
  kube: Kube,
  object: Infrastructure,
  version: Version,
  declaration: Declaration,
): Promise<string | undefined> {
  const published = publishedIn(object);
  const before = declarationOf(object);
  const recorded = recordedOf(object);
  const isSettled = topologyFields.every(
    (field) =>
      (recorded[field] ?? published[field]) === published[field] &&
      (before === undefined || (before !== "invalid" && before.topology[field] === published[field])),
  );
  if (isSettled || differencesFrom(object, declaration).length > 0) return undefined;
  const annotations = {
    [declaredAnnotation]: encodeDeclaration(declaration),
    [recordedAnnotation]: encodeRecorded(published),
  };
  await annotate(kube, version, annotations, {});
  return "declared what is published";
}

/** A field is filled once: not from numbers that this run contradicts. */
function refuseOtherDeclaration(object: Infrastructure, { topology }: Declaration): void {
  const earlier = declarationOf(object);
  if (earlier === undefined || earlier === "invalid") return;
  const differences = topologyFields
    .filter((field) => earlier.topology[field] !== topology[field])
    .map((field) => `${field}Topology ${earlier.topology[field]}, and not ${topology[field]}`);
  if (differences.length === 0) return;
  throw new MainstayError({
    reason: "TopologyAlreadySet",
    message: `Infrastructure/${infrastructureName}: an earlier declaration, not yet published, says ${differences.join("; ")}`,
    hint: `If it is wrong, remove it and run this again: kubectl annotate infrastructure ${infrastructureName} ${declaredAnnotation}-`,
  });
}

/** All that counts for an object that is filled and never changed; the rest of the world has no say in it. */
function alone(infrastructure: Infrastructure): TopologyObserved {
  return {
    infrastructure,
    fields: "unknown",
    report: "unknown",
    declaredNow: { found: "unknown" },
    seen: "unknown",
    clusterVersion: "unknown",
  };
}

const immutable: TopologyRules = {
  rules: "two-modes",
  mutable: false,
  upgradeGate: "ClusterVersion",
  preconditions: [],
};

/** The topology is immutable: whatever stands there counts, and a difference is the caller's to know. */
function agreed(object: Infrastructure, declaration: Declaration): Infrastructure {
  const differences = differencesFrom(object, declaration);
  if (differences.length === 0) return object;
  const message = `Infrastructure/${infrastructureName}: ${differences.join("; ")}`;
  if (declarationOf(object) === "invalid") {
    throw new MainstayError({
      reason: "TopologySourceInvalid",
      message: `${message}; its annotation ${declaredAnnotation} cannot be understood`,
      hint: `Remove it and run this again: kubectl annotate infrastructure ${infrastructureName} ${declaredAnnotation}-`,
    });
  }
  throw new MainstayError({
    reason: "TopologyAlreadySet",
    message,
    hint: "The topology of a cluster is set once and not overwritten. mainstay runbook TopologyAlreadySet says what to do.",
  });
}

function differencesFrom(object: Infrastructure, { topology }: Declaration): readonly string[] {
  const published = publishedIn(object);
  return topologyFields
    .filter((field) => published[field] !== topology[field])
    .map((field) => `status.${field}Topology is ${published[field] || "empty"}, declared is ${topology[field]}`);
}
