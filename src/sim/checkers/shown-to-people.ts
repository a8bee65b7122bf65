// Everything that people are shown of a simulated system: metrics, answers of the read API, output of commands. Read once, when the run is
// over: nothing of it takes virtual time, changes anything or leaves a line in the trace.

import { formatRef, type Kind, type KubeObject, refOf, resourceName } from "../../apis/kube/kube-object.ts";
import type { Product } from "../../cli/product.ts";
import { run } from "../../cli/run.ts";
import { MainstayError } from "../../core/errors.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { managerInsight, shownKinds } from "../../engine/report/manager-insight.ts";
import { silentLog } from "../../engine/report/silent-log.ts";
import { listEverything } from "../../engine/round/list-everything.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { OpenStack } from "../../ports/openstack.ts";
import type { Random } from "../../ports/random.ts";
import { openAccess } from "../../server/access/access.ts";
import { routes } from "../../server/contract.ts";
import { readApi } from "../../server/read-api/read-api.ts";
import type { RunningManager } from "../processes/start-manager.ts";

export interface Shown {
  readonly where: string;
  readonly text: string;
}

export interface ShownOptions {
  readonly running: readonly RunningManager[];
  /** People's own. */
  readonly kube: Kube;
  /** The world's own, which says what objects there are, whatever people's own does. */
  readonly worldKube: Kube;
  readonly nowMs: number;
  readonly random: Random;
  readonly product: Product;
  /** The cloud as commands reach it. */
  readonly openStack: OpenStack;
}

export async function shownToPeople(options: ShownOptions): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const manager of options.running) {
    shown.push({ where: `metrics of ${manager.process.name}`, text: await manager.metrics.text() });
    shown.push(...(await answersOf(manager, options)));
  }
  for (const args of await invocations(options)) shown.push(await outputOf(args, options));
  return shown;
}

/** Every command that shows something of a cluster: the shared ones for each object that people are shown, and those of the jobs. */
async function invocations({ worldKube, product, running }: ShownOptions): Promise<readonly (readonly string[])[]> {
  const kinds = shownKinds(running.flatMap(({ features }) => features)).map(({ kind }) => kind);
  const objects = (await Promise.all(kinds.map((kind) => namesOf(worldKube, kind)))).flat();
  return [
    ["status"],
    ["status", "-o", "json"],
    ["doctor", "--clouds"],
    ...objects.flatMap((name) => [
      ["explain", name, "-o", "yaml"],
      ["plan", name],
    ]),
    ...product.commands.flatMap(({ invocations: own }) => own(objects)),
  ];
}

/** As people name them: `osc/clusters/blue`. A kind that is not served has none. */
async function namesOf(kube: Kube, kind: Kind): Promise<readonly string[]> {
  const items = await listEverything(kube, kind).catch((error: unknown) => {
    if (isKubeError(error, "KindNotServed", "NotFound")) return [];
    throw error;
  });
  return items.map((object) => `${resourceName(kind)}/${formatRef(refOf(object))}`);
}

/** By somebody who may see everything. */
async function answersOf(running: RunningManager, options: ShownOptions): Promise<readonly Shown[]> {
  const { process, manager, features, journal } = running;
  const { kube } = options;
  const insight = managerInsight({
    manager,
    identity: process.identity,
    features,
    journal,
    kube,
    onLeading: () => () => {},
  });
  const app = readApi({
    insight,
    access: openAccess,
    clock: stillClock(options.nowMs),
    opaqueIds: { hash: () => "", encrypt: () => "", decrypt: () => undefined },
    log: silentLog,
    version: "",
    demo: false,
    hosts: [],
  });
  const pages = insight.shown.flatMap(({ kind }) => insight.objectsOf(kind).flatMap((each) => pagesOf(kind, each)));
  const answers: Shown[] = [];
  for (const url of [routes.session, routes.manager, routes.objects, `${routes.planLog}?limit=1000`, ...pages]) {
    const { body, headers } = await app.inject({ url, headers: { host: "127.0.0.1" } });
    answers.push({ where: `${url} of ${process.name}`, text: `${JSON.stringify(headers)}\n${body}` });
  }
  await app.close();
  return answers;
}

function pagesOf(kind: Kind, each: KubeObject): readonly string[] {
  const id = { resource: resourceName(kind), ...refOf(each) };
  return [routes.object(id), routes.yaml(id)];
}

async function outputOf(
  args: readonly string[],
  { kube, nowMs, random, product, openStack }: ShownOptions,
): Promise<Shown> {
  const lines: string[] = [];
  const nothing = (what: string) => () =>
    Promise.reject(new MainstayError({ reason: "ApiUnreachable", message: `there is no ${what} here` }));
  await run(args, {
    version: "",
    nodeVersion: "",
    commands: product.commands,
    product: () => Promise.resolve(product),
    terminal: {
      out: (text) => void lines.push(text),
      err: (text) => void lines.push(text),
      readInput: nothing("input"),
      interactive: false,
      colours: false,
      columns: 200,
    },
    runbookFolder: "",
    shipped: (path) => path,
    files: { exists: () => Promise.resolve(false), readText: nothing("file"), writeText: nothing("file") },
    clock: stillClock(nowMs),
    random,
    connect: () => Promise.resolve({ kube, close: () => Promise.resolve() }),
    openStack,
    gatewayAccess: nothing("gateway"),
    parseToml: nothing("TOML"),
    http: nothing("demonstration"),
    runController: nothing("controller"),
    runAgent: nothing("agent"),
    runDemo: nothing("demonstration"),
  });
  return { where: `mainstay ${args.join(" ")}`, text: lines.join("\n") };
}

/** Nothing falls due any more. */
function stillClock(nowMs: number): Clock {
  return { nowMs: () => nowMs, monotonicMs: () => nowMs, after: () => ({ cancel: () => {} }) };
}
