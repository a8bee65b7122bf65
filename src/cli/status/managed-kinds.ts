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
  /** The file it came from; absent: these are the defaults. */
  readonly file?: string;
  readonly features: readonly Feature[];
  readonly shown: readonly ShownKind[];
}

/** As the configuration has it; without a file, as its defaults do. */
export async function managedBy(
  path: string | undefined,
  ports: Pick<CliPorts, "files" | "openStack">,
): Promise<Managed> {
  const file = path === undefined ? {} : { path, text: await ports.files.readText(path) };
  const { configuration } = readConfiguration({ ...file, controllers: controllerNames });
  const features = enabledFeatures(configuration, ports);
  return { configuration, features, shown: shownKinds(features), ...(path === undefined ? {} : { file: path }) };
}

/** Which configuration a plan was made with: another one may have other controllers, gates and guards. */
export function configurationWords({ file }: Managed): string {
  return file === undefined
    ? "Configuration: the defaults; --config names the controller manager's own."
    : `Configuration: ${file}.`;
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
    const hint =
      meant !== undefined
        ? `Did you mean ${meant}?`
        : known === ""
          ? "Turn a controller on in the configuration."
          : `Mainstay looks after ${known}.`;
    throw invalid("<kind>/<name>", `"${word}" is no kind that Mainstay looks after`, hint);
  }
  const [first, second] = rest;
  const name = second ?? first;
  if (
    name === undefined ||
    name === "" ||
    first === "" ||
    rest.length > 2 ||
    (second !== undefined && !kind.kind.namespaced)
  ) {
    const wanted = kind.kind.namespaced ? `${word}/<namespace>/<name>` : `${word}/<name>`;
    throw invalid("<kind>/<name>", `"${text}" does not name an object`, `Write ${wanted}.`);
  }
  refuseNamespace(text, kind, namespace, second === undefined ? undefined : first);
  if (!kind.kind.namespaced) return { shown: kind, ref: { name } };
  return { shown: kind, ref: { name, namespace: (second === undefined ? namespace : first) ?? "default" } };
}

/** A namespace that cannot be meant is not passed over in silence. */
function refuseNamespace(text: string, { kind }: ShownKind, flag: string | undefined, named: string | undefined): void {
  if (flag === undefined) return;
  if (!kind.namespaced)
    throw invalid(
      "--namespace",
      `"${flag}" is given for ${text}, and ${kind.kind} is a kind without namespaces`,
      "Leave it out.",
    );
  if (named !== undefined && named !== flag)
    throw invalid("--namespace", `"${flag}" is given for ${text}, which is in ${named}`, "Name one namespace.");
}

function namesOf(kind: Kind): readonly string[] {
  const { plural, group } = kind;
  const singular = kind.kind.toLowerCase();
  return [singular, plural, resourceName(kind), ...(group === "" ? [] : [`${singular}.${group}`])];
}
