// Who may import whom: the table of ARCHITECTURE.md as data, and a function that names every import that breaks it.

import { posix } from "node:path";
import { importsOf, type Source } from "./source.ts";

interface Rule {
  /** Layers, or folders and files of a layer: `core/*` is the files right in src/core and not its folders. */
  readonly layers: readonly string[];
  /** npm packages by name; `any` for all that package.json declares. */
  readonly packages: readonly string[] | "any";
  readonly node?: boolean;
  /** May import pictures, which a bundler resolves. */
  readonly pictures?: boolean;
}

const pure = ["zod", "yaml", "ipaddr.js"];
const everything = [
  "apis",
  "core",
  "ports",
  "engine",
  "drivers",
  "controllers",
  "agent",
  "cli",
  "server",
  "dashboard",
  "sim",
];
const shells = ["engine", "ports", "core", "apis"];

export const layers: Readonly<Record<string, Rule>> = {
  apis: { layers: [], packages: [] },
  core: { layers: ["apis"], packages: pure },
  ports: { layers: ["core", "apis"], packages: [] },
  // It knows no cloud.
  engine: { layers: ["ports", "core/*", "core/net", "core/job", "apis"], packages: [...pure, "prom-client"] },
  drivers: { layers: ["ports", "core", "apis"], packages: "any", node: true },
  controllers: { layers: [...shells, "declarations"], packages: pure },
  agent: { layers: [...shells, "declarations"], packages: pure },
  // It shows what a controller would observe and plan; no controller knows the command line.
  cli: { layers: [...shells, "controllers", "declarations", "server/contract"], packages: [...pure, "commander"] },
  server: { layers: ["ports", "core", "apis"], packages: [...pure, "fastify", "prom-client"] },
  dashboard: { layers: ["server/contract", "core", "apis"], packages: ["react", "react-dom"], pictures: true },
  sim: {
    layers: ["apis", "core", "ports", "engine", "controllers", "agent", "cli", "server", "declarations"],
    packages: [...pure, "@marcbachmann/cel-js", "re2js"],
  },
  // What a job is: its declaration is pure, and lists what its apis and its core say.
  declarations: { layers: ["core", "apis"], packages: pure },
  // The lists of all jobs.
  registries: { layers: [...everything, "declarations"], packages: pure },
  bin: { layers: [...everything, "declarations", "registries"], packages: "any", node: true },
  // What package.json exports: composition roots for programs of other people.
  entries: { layers: [...everything, "bin/connect"], packages: "any", node: true },
};

/** The folders of a job, and the layer that each belongs to. */
const jobFolders: Readonly<Record<string, string>> = {
  apis: "apis",
  core: "core",
  controller: "controllers",
  agent: "agent",
  commands: "cli",
  sim: "sim",
};

/**
 * `src/core/net/cidr.ts` → `core`, and so is `src/jobs/topology/core/plan.ts`; a file right in src is an entry of the package, one
 * right in src/jobs a registry. Undefined outside src.
 */
export function layerOf(path: string): string | undefined {
  const [top, layer, job, folder, ...rest] = path.split("/");
  if (top !== "src" || layer === undefined) return undefined;
  if (job === undefined) return "entries";
  if (layer !== "jobs") return layer;
  if (folder === undefined) return "registries";
  return rest.length === 0 ? "declarations" : jobFolders[folder];
}

export function importProblems(source: Source): readonly string[] {
  const layer = layerOf(source.path);
  if (layer === undefined) return [`${source.path}: is in no layer of src`];
  const rule = layers[layer];
  if (rule === undefined) return [`${source.path}: the layer ${layer} is not in the table`];
  return importsOf(source)
    .filter(({ specifier }) => !allowed(source.path, layer, rule, specifier))
    .map(({ specifier, line }) => `${source.path}:${line}: ${layer} may not import ${specifier}`);
}

function allowed(path: string, layer: string, rule: Rule, specifier: string): boolean {
  if (specifier.startsWith("node:")) return rule.node === true;
  if (specifier.startsWith(".")) return allowedFile(path, layer, rule, posix.join(posix.dirname(path), specifier));
  return rule.packages === "any" ? /^[@a-z]/.test(specifier) : rule.packages.includes(packageOf(specifier));
}

function allowedFile(path: string, layer: string, rule: Rule, target: string): boolean {
  const known = rule.pictures === true ? /\.(tsx?|json|svg)$/ : /\.(tsx?|json)$/;
  if (!known.test(target) || /\.test\.tsx?$/.test(target)) return false;
  const inSrc = target.startsWith("src/") ? target.slice("src/".length) : undefined;
  if (inSrc === undefined) return false;
  if (!mayKnowJob(path, target)) return false;
  const targetLayer = layerOf(target);
  return [layer, ...rule.layers].some((place) =>
    place.endsWith("/*")
      ? posix.dirname(inSrc) === place.slice(0, -2)
      : targetLayer === place || inSrc.startsWith(`${place}/`) || inSrc === `${place}.ts`,
  );
}

/** What all jobs share knows none of them, and no job knows another; registries and composition roots know them all. */
function mayKnowJob(path: string, target: string): boolean {
  const job = jobOf(target);
  if (job === undefined || job === jobOf(path)) return true;
  return ["registries", "bin", "entries"].includes(layerOf(path) ?? "");
}

/** `src/jobs/topology/core/plan.ts` → `topology`; a registry belongs to none. */
function jobOf(path: string): string | undefined {
  const [top, folder, job, ...rest] = path.split("/");
  return top === "src" && folder === "jobs" && rest.length > 0 ? job : undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
