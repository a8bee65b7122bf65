// The specimen as a job of the simulation: it exercises every law and every fault, whatever the real jobs happen to do.

import { configMaps, customResourceDefinitions, secrets } from "../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { bearsMarkFor, hasFinalizer, markLabel } from "../../core/ownership.ts";
import { withErrorListener } from "../network/with-error-listener.ts";
import type { SimProcess } from "../processes/sim-process.ts";
import type { JobInWorld, JobWorld, SimJob } from "../run/sim-job.ts";
import { between, chance, pick } from "../time/derive-seed.ts";
import { Cloud, locations } from "./cloud.ts";
import { type CloudLink, cloudLink } from "./cloud-link.ts";
import { finalizer, locationOf } from "./plan-specimen.ts";
import { specimenCheckers } from "./specimen-checkers.ts";
import { specimenFeature } from "./specimen-feature.ts";
import {
  formatAnnotation,
  locationLabel,
  type Specimen,
  specimenCrd,
  specimenFeatureName,
  specimenResource,
} from "./specimen-kind.ts";
import { SpecimenUsers } from "./specimen-users.ts";

/** Another cluster's, in the same cloud. */
const ownerElsewhere = "00000000-0000-4000-8000-000000000000";

export interface SpecimenOverrides {
  /** Between the feature and its cloud: for deliberate bugs. */
  readonly cloud?: (link: CloudLink, process: SimProcess) => CloudLink;
}

export function specimenJob(overrides: SpecimenOverrides = {}): SimJob {
  return { name: "specimen", inWorld: (world) => specimenIn(world, overrides) };
}

function specimenIn(world: JobWorld, overrides: SpecimenOverrides): JobInWorld {
  const { random, kube, view, network, planCall, secretMarker } = world;
  const cloud = new Cloud(
    () => network.scheduler.nowMs,
    () => between(random, 0, 4_000),
  );
  const users = new SpecimenUsers(kube, random, view);
  return {
    ports: ["cloud"],
    checkers: specimenCheckers(cloud),
    prepare: () => prepare(world, cloud),
    features: (process) => {
      const credential = secretMarker(`cloud-${process.name}`);
      const link = cloudLink({ cloud, process, network, planCall, credential });
      const port = withErrorListener(overrides.cloud?.(link, process) ?? link, (error, method) =>
        network.events.emit("failed", { process, where: `cloud ${method}`, error }),
      );
      return [specimenFeature(port, { version: process.version, namespace: "default" })];
    },
    act: () => users.act(),
    insist: () => users.insist(),
    missing: () => missing(world, cloud, users, []),
    partDown: () => {
      if (cloud.down.size === 0)
        cloud.down.set(pick(random, locations) ?? "a", chance(random, 0.5) ? "silent" : "read-only");
    },
    partSlow: (stream) => {
      if (cloud.slowMs.size === 0) cloud.slowMs.set(pick(stream, locations) ?? "a", between(stream, 3_000, 7_500));
    },
    partUp: () => {
      cloud.down.clear();
      cloud.slowMs.clear();
    },
    missingBesidesPart: () => missing(world, cloud, users, [...cloud.down.keys(), ...cloud.slowMs.keys()]),
    lastingTroubles: {
      "things vanish as they are made": () => {
        cloud.loses = true;
        return () => void (cloud.loses = false);
      },
      "things stay although their deletion was accepted": () => {
        cloud.keeps = true;
        return () => void (cloud.keeps = false);
      },
    },
  };
}

/** Beside ours stands what others made, with names and labels that come close. */
async function prepare({ kube, secretMarker }: JobWorld, cloud: Cloud): Promise<void> {
  await kube.create(customResourceDefinitions, specimenCrd);
  for (const location of locations) {
    for (const [id, owner] of Object.entries({ [`theirs-${location}`]: "", [`elsewhere-${location}`]: ownerElsewhere }))
      cloud.things.set(id, { id, location, owner, readyAtMs: 0 });
  }
  await kube.create(secrets, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "cloud-credentials", namespace: "default" },
    data: { password: btoa(secretMarker("cloud-password")) },
  } as KubeObject);
  for (const [name, labels] of [
    ["theirs", { [locationLabel]: "a" }],
    ["theirs-marked", { [locationLabel]: "b", [markLabel]: "something-else" }],
  ] as const)
    await kube.create(configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "default", labels },
    });
}

/** `parts` are those that are down or slow: only what does not need them has to be there. */
function missing(world: JobWorld, cloud: Cloud, users: SpecimenUsers, parts: readonly string[]): string | undefined {
  const specimensNow = world.view.objects(specimenResource) as readonly Specimen[];
  for (const [name, wanted] of users.wanted) {
    const found = specimensNow.find(({ metadata }) => metadata.name === name);
    const lacking =
      wanted === undefined
        ? found !== undefined && parts.length === 0
          ? "is still there"
          : undefined
        : lackingIn(world, cloud, found, wanted, parts);
    if (lacking !== undefined) return `Specimen ${name} ${lacking}`;
  }
  if (parts.length > 0) return undefined;
  const orphan = [...cloud.things.values()].find(
    ({ owner }) =>
      !["", ownerElsewhere].includes(owner) &&
      !world.lostUids.has(owner) &&
      !specimensNow.some(({ metadata }) => metadata.uid === owner),
  );
  return orphan === undefined ? undefined : `${orphan.id} at location ${orphan.location} has no owner any more`;
}

function lackingIn(
  { view }: JobWorld,
  cloud: Cloud,
  found: Specimen | undefined,
  wanted: readonly string[],
  parts: readonly string[],
): string | undefined {
  if (found === undefined) return parts.length === 0 ? "is missing" : undefined;
  const { uid = "", deletionTimestamp, generation } = found.metadata;
  if (deletionTimestamp !== undefined) return parts.length === 0 ? "is being deleted" : undefined;
  if (!hasFinalizer(found, finalizer)) return "lacks its finalizer";
  const children = view.objects("/configmaps").filter((child) => bearsMarkFor(specimenFeatureName, found, child));
  for (const location of wanted.filter((each) => !parts.includes(each))) {
    const thing = [...cloud.things.values()].find((each) => each.owner === uid && each.location === location);
    if (thing === undefined || !cloud.isReady(thing)) return `has nothing ready at location ${location}`;
    const child = children.find((each) => locationOf(each) === location);
    if (child === undefined) return `has no child at location ${location}`;
    if (parts.length === 0 && child.metadata.annotations?.[formatAnnotation] === undefined)
      return `has a child of the old version at location ${location}`;
  }
  if (parts.length > 0) return undefined;
  const extra = [...cloud.things.values()].find((each) => each.owner === uid && !wanted.includes(each.location));
  if (extra !== undefined) return `still has ${extra.id} at location ${extra.location}`;
  if (found.status?.readyLocations?.join() !== wanted.join())
    return `says ${found.status?.readyLocations?.join() ?? "nothing"}`;
  const ready = found.status.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && ready.observedGeneration === generation ? undefined : "is not Ready";
}
