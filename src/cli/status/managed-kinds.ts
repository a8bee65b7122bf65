// The kinds that the command line knows from its controllers, and how people name them: `infrastructure/cluster`,
// `topologyreports.topology.mainstay.dev/cluster`, `osc/clusters/blue`. Any case will do.

import { formatRef, type Kind, type KubeObject, type ObjectRef, resourceName } from "../../apis/kube/kube-object.ts";
import { nearest } from "../../apis/text/nearest.ts";
import { present } from "../../core/present.ts";
import type { Feature } from "../../engine/feature.ts";
import { shownKinds } from "../../engine/report/manager-insight.ts";
import type { ShownKind } from "../../ports/insight.ts";
import type { KubeReader } from "../../ports/kube.ts";
import type { Terminal } from "../../ports/terminal.ts";
import type { CliPorts } from "../cli-ports.ts";
import { type Configuration, readConfiguration } from "../configuration/configuration.ts";
import { enabledFeatures } from "../configuration/enabled-features.ts";
import { runningConfiguration, runningWords } from "../configuration/running-configuration.ts";
import { type InvalidInput, invalid } from "../invalid-input.ts";
import type { OutputFormat } from "../output-option.ts";
import type { Product } from "../product.ts";

export interface Managed {
  readonly configuration: Configuration;
  /** The file it came from, or the Lease of the manager that has it; absent: these are the defaults. */
  readonly file?: string;
  readonly manager?: { readonly lease: ObjectRef; readonly leader: string };
  /** Why these are the defaults although there may be a manager. */
  readonly unreadable?: string;
  readonly features: readonly Feature[];
  readonly shown: readonly ShownKind[];
}

/** As the configuration has it; without a file, as its defaults do. */
export async function managedBy(
  path: string | undefined,
  ports: Pick<CliPorts, "files" | "openStack" | "product">,
): Promise<Managed> {
  const file = path === undefined ? {} : { path, text: await ports.files.readText(path) };
  const product = await ports.product();
  const { configuration } = readConfiguration({ ...file, jobs: product.jobs });
  return { ...controllersOf(configuration, product, ports), ...(path === undefined ? {} : { file: path }) };
}

/** An object, and what is managed by the configuration that counts for it. */
export interface NamedAndManaged {
  readonly named: NamedObject;
  readonly managed: Managed;
}

/** As the manager that looks after the object has it, where that can be found. A file that was named wins. */
export async function managedAsRunning(
  { named, managed: given }: NamedAndManaged,
  kube: KubeReader,
  ports: Pick<CliPorts, "openStack" | "product" | "clock">,
): Promise<NamedAndManaged> {
  if (given.file !== undefined) return { named, managed: given };
  const { shown, ref } = named;
  const labels = await kube.get<KubeObject>(shown.kind, ref).then(
    ({ metadata }) => metadata.labels,
    // Whatever is wrong with the object is said by whoever plans for it.
    () => undefined,
  );
  const managed = await asRunning(given, present({ namespace: ref.namespace, labels }), kube, ports);
  if (managed.manager === undefined) return { named, managed };
  const own = managed.shown.find(({ kind }) => resourceName(kind) === resourceName(shown.kind));
  return { managed, named: { ref, shown: own ?? { ...shown, controllers: [] } } };
}

/** As the manager has it that looks after such an object, where that can be found. A file that was named wins. */
export async function asRunning(
  given: Managed,
  object: Parameters<typeof runningConfiguration>[1],
  kube: KubeReader,
  ports: Pick<CliPorts, "openStack" | "product" | "clock">,
): Promise<Managed> {
  if (given.file !== undefined) return given;
  const product = await ports.product();
  const found = await runningConfiguration({ kube, clock: ports.clock, jobs: product.jobs }, object);
  if ("unreadable" in found) return { ...given, ...present({ unreadable: found.unreadable }) };
  const { configuration, ...manager } = found;
  return { ...controllersOf(configuration, product, ports), manager };
}

function controllersOf(configuration: Configuration, product: Product, ports: Pick<CliPorts, "openStack">) {
  const features = enabledFeatures(configuration, product.features, ports);
  return { configuration, features, shown: shownKinds(features) };
}

/** Which configuration a plan was made with: another one may have other controllers, gates and guards. */
export function configurationWords({ file, manager }: Managed): string {
  if (file !== undefined) return `Configuration: ${file}.`;
  if (manager === undefined) return "Configuration: the defaults; --config names the controller manager's own.";
  return `Configuration: ${runningWords(manager)}.`;
}

/** The same for programs: the file, or the Lease. */
export function configurationData({ file, manager }: Managed): string | null {
  return file ?? (manager === undefined ? null : `lease ${formatRef(manager.lease)}`);
}

/** Data has no room for notes, and the defaults may mislead: both are worth a line beside it. */
export function noteConfiguration(managed: Managed, output: OutputFormat, { err }: Pick<Terminal, "err">): void {
  if (output !== "text") err(`note: ${configurationWords(managed)}`);
  if (managed.unreadable !== undefined)
    err(`note: the running manager's configuration is not known: ${managed.unreadable}`);
}

export interface NamedObject {
  readonly shown: ShownKind;
  readonly ref: ObjectRef;
}

export function parseObjectName(text: string, namespace: string | undefined, shown: readonly ShownKind[]): NamedObject {
  const [word = "", ...rest] = text.split("/");
  const kind = kindNamed(word, shown);
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

/** By a name of the kind alone, as kubectl takes it. */
export function kindNamed(word: string, shown: readonly ShownKind[]): ShownKind | undefined {
  return shown.find((one) => namesOf(one.kind).includes(word.toLowerCase()));
}

/** It is a kind, or looks like one: of ours, or of what people take for one. */
export function mayBeKind(word: string, shown: readonly ShownKind[]): boolean {
  const names = shown.flatMap((one) => [...namesOf(one.kind), ...(one.meantBy?.names ?? [])]);
  return names.includes(word.toLowerCase()) || nearest(word.toLowerCase(), names) !== undefined;
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
