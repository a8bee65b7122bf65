// The kinds that the command line knows from its controllers, and how people name them: `infrastructure/cluster`,
// `topologyreports.topology.mainstay.dev/cluster`, `osc/clusters/blue`. Any case will do.

import { type Kind, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { nearest } from "../../apis/text/nearest.ts";
import type { Feature } from "../../engine/feature.ts";
import { shownKinds } from "../../engine/report/manager-insight.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { CliPorts } from "../cli-ports.ts";
import { type Configuration, readConfiguration } from "../configuration/configuration.ts";
import { enabledFeatures } from "../configuration/enabled-features.ts";
import { type InvalidInput, invalid } from "../invalid-input.ts";

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
  ports: Pick<CliPorts, "files" | "openStack" | "product">,
): Promise<Managed> {
  const file = path === undefined ? {} : { path, text: await ports.files.readText(path) };
  const { configuration } = readConfiguration({ ...file, jobs: ports.product.jobs });
  const features = enabledFeatures(configuration, ports.product.features, ports);
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
  if (kind === undefined) throw unknownKind(text, word, shown);
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

function unknownKind(text: string, word: string, shown: readonly ShownKind[]): InvalidInput {
  const where = "<kind>/<name>";
  const known = shown.map(({ kind }) => [kind.kind.toLowerCase(), ...shortNamesOf(kind)].join(" ")).join(", ");
  const kinds = known === "" ? "Turn a controller on in the configuration." : `Mainstay manages ${known}.`;
  const meant = nearest(
    word.toLowerCase(),
    shown.flatMap((one) => namesOf(one.kind)),
  );
  if (meant === undefined && !text.includes("/"))
    return invalid(
      where,
      `"${text}" does not name an object`,
      `Write <kind>/<name> or <kind>/<namespace>/<name>. ${kinds}`,
    );
  const guess = meant === undefined ? meantBy(text, shown) : `Did you mean ${meant}? `;
  return invalid(where, `"${word}" is no kind that Mainstay manages`, `${guess}${kinds}`);
}

/** People name the object they know; Mainstay manages another one, mostly of the same name. */
function meantBy(text: string, shown: readonly ShownKind[]): string {
  const [word = "", ...rest] = text.split("/");
  const own = shown.find((one) => one.meantBy?.names.includes(word.toLowerCase()));
  if (own?.meantBy === undefined) return "";
  const [namespace, name] = rest.length > 1 ? rest : ["default", rest[0]];
  const kind = own.kind.shortNames?.[0] ?? own.kind.kind.toLowerCase();
  return `${own.meantBy.words}: write ${kind}/${namespace}/${name || "<name>"}. `;
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
  const { plural, group, shortNames = [] } = kind;
  const singular = kind.kind.toLowerCase();
  return [singular, plural, ...shortNames, resourceName(kind), ...(group === "" ? [] : [`${singular}.${group}`])];
}

function shortNamesOf({ shortNames = [] }: Kind): readonly string[] {
  return shortNames.map((name) => `(${name})`);
}
