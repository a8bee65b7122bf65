// The kinds that the command line knows from its controllers, and how people name them: `infrastructure/cluster`,
// `topologyreports.topology.mainstay.dev/cluster`, `gatewaypool/edge/public`.

import { type Kind, type ObjectRef, resourceName } from "../../apis/kube-object.ts";
import { controllerNames, enabledFeatures } from "../../controllers/all.ts";
import { type Configuration, readConfiguration } from "../../controllers/configuration.ts";
import { nearest } from "../../core/nearest.ts";
import type { Feature } from "../../engine/feature.ts";
import { shownKinds } from "../../engine/manager-insight.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { CliPorts } from "../cli-ports.ts";
import { invalid } from "../invalid-input.ts";

export interface Managed {
  readonly configuration: Configuration;
  readonly features: readonly Feature[];
  readonly shown: readonly ShownKind[];
}

/** As the configuration has it; without a file, as its defaults do. */
export async function managedBy(path: string | undefined, ports: Pick<CliPorts, "files">): Promise<Managed> {
  const file = path === undefined ? {} : { path, text: await ports.files.readText(path) };
  const { configuration } = readConfiguration({ ...file, controllers: controllerNames });
  const features = enabledFeatures(configuration);
  return { configuration, features, shown: shownKinds(features) };
}

export interface NamedObject {
  readonly shown: ShownKind;
  readonly ref: ObjectRef;
}

export function parseObjectName(text: string, namespace: string | undefined, shown: readonly ShownKind[]): NamedObject {
  const [word = "", ...rest] = text.split("/");
  const kind = shown.find((one) => namesOf(one.kind).includes(word.toLowerCase()));
  if (kind === undefined) {
    const meant = nearest(
      word.toLowerCase(),
      shown.flatMap((one) => namesOf(one.kind)),
    );
    const known = shown.map((one) => one.kind.kind.toLowerCase()).join(", ");
    const hint = meant === undefined ? `Mainstay looks after ${known}.` : `Did you mean ${meant}?`;
    throw invalid("<kind>/<name>", `"${word}" is no kind that Mainstay looks after`, hint);
  }
  const [first, second] = rest;
  const name = second ?? first;
  if (name === undefined || name === "" || rest.length > 2 || (second !== undefined && !kind.kind.namespaced)) {
    const wanted = kind.kind.namespaced ? `${word}/<namespace>/<name>` : `${word}/<name>`;
    throw invalid("<kind>/<name>", `"${text}" does not name an object`, `Write ${wanted}.`);
  }
  if (!kind.kind.namespaced) return { shown: kind, ref: { name } };
  return { shown: kind, ref: { name, namespace: (second === undefined ? namespace : first) ?? "default" } };
}

function namesOf(kind: Kind): readonly string[] {
  const { plural, group } = kind;
  const singular = kind.kind.toLowerCase();
  return [singular, plural, resourceName(kind), ...(group === "" ? [] : [`${singular}.${group}`])];
}
