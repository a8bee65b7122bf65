// The replica counts of an install-config, with the installer's own defaults where it is silent. Each default taken is a
// note, and a key that looks like a misspelt one is a problem: it would silently turn into a default.

import { type Checked, isRecord, type Problem, quote } from "../../../apis/text/problem.ts";
import { checked, checkReplicas, checkTogether, type DeclaredReplicas, unusable } from "./declared-replicas.ts";

const topLevelKeys = ["controlPlane", "compute", "arbiter"];
const defaultReplicas = 3;
/** Pools that the installer leaves empty unless told otherwise. */
const emptyByDefault = ["edge", "arbiter"];

export interface InstallConfigOptions {
  /** The control plane runs elsewhere: what the file says of it is not read. */
  readonly external?: boolean;
}

/** What comes up while the counts are read. */
interface Findings {
  readonly problems: Problem[];
  readonly notes: string[];
}

type Fields = Readonly<Record<string, unknown>>;

export function readInstallConfig(value: unknown, options: InstallConfigOptions = {}): Checked<DeclaredReplicas> {
  if (!isRecord(value)) return { ok: false, problems: [notAMapping("install-config", value)] };
  const problems = misspelt("", value, topLevelKeys);
  if (problems.length === 0 && !looksLikeInstallConfig(value)) return { ok: false, problems: [somethingElse(value)] };
  const findings: Findings = { problems, notes: [] };
  const declared: DeclaredReplicas = {
    controlPlane: options.external ? "external" : readPool("controlPlane", value["controlPlane"], "master", findings),
    workers: readCompute(value, findings),
    arbiters: value["arbiter"] === undefined ? 0 : readPool("arbiter", value["arbiter"], "arbiter", findings),
  };
  const whole = checkTogether(declared, placeNames);
  return checked(declared, [...findings.problems, ...whole], findings.notes);
}

/** Every field may be absent, so that a file of another kind would turn into defaults from top to bottom. */
function looksLikeInstallConfig(value: Fields): boolean {
  const { kind = "InstallConfig" } = value;
  return kind === "InstallConfig" && ["apiVersion", ...topLevelKeys].some((key) => value[key] !== undefined);
}

function somethingElse({ kind }: Fields): Problem {
  return {
    where: "install-config",
    message: kind === undefined ? "no field of an install-config is in it" : `kind ${quote(kind)} is something else`,
    hint: "Name an install-config, or the installer's manifests/cluster-config.yaml.",
  };
}

const placeNames = { controlPlane: "controlPlane.replicas", arbiters: "arbiter.replicas" };

function readCompute(config: Fields, findings: Findings): number[] {
  const pools = config["compute"];
  if (unset(pools) || (Array.isArray(pools) && pools.length === 0)) {
    if (countsHosts(config)) return [unclearDefault("compute", findings)];
    findings.notes.push(`compute is not set: the installer makes one worker pool of ${defaultReplicas}`);
    return [defaultReplicas];
  }
  if (!Array.isArray(pools)) {
    findings.problems.push({
      where: "compute",
      message: `${quote(pools)} is not a list`,
      hint: "Write a list of pools.",
    });
    return [];
  }
  return pools.map((pool: unknown, index) => {
    const where = `compute[${index}]`;
    const silent = isRecord(pool) && unset(pool["replicas"]) && pool["name"] !== "edge";
    return silent && countsHosts(config)
      ? unclearDefault(`${where}.replicas`, findings)
      : readPool(where, pool, "worker", findings);
  });
}

function readPool(where: string, value: unknown, role: string, { problems, notes }: Findings): number {
  if (unset(value)) {
    notes.push(`${where} is not set: the installer makes ${defaultFor(role)}`);
    return defaultFor(role);
  }
  if (!isRecord(value)) {
    problems.push(notAMapping(where, value));
    return unusable;
  }
  problems.push(...misspelt(`${where}.`, value, ["replicas"]));
  if (unset(value["replicas"])) {
    const replicas = defaultFor(typeof value["name"] === "string" && role !== "master" ? value["name"] : role);
    notes.push(`${where}.replicas is not set: the installer makes ${replicas}`);
    return replicas;
  }
  const replicas = checkReplicas(`${where}.replicas`, value["replicas"]);
  if (typeof replicas === "number") return replicas;
  problems.push(replicas);
  return unusable;
}

function misspelt(prefix: string, value: Fields, known: readonly string[]): Problem[] {
  return Object.keys(value).flatMap((key) => {
    const meant = known.includes(key) ? undefined : known.find((name) => looksLike(key, name));
    if (meant === undefined) return [];
    const message = "the installer does not know this field and would take its default instead";
    return [{ where: `${prefix}${key}`, message, hint: `Write ${prefix}${meant}.` }];
  });
}

// Installers differ on what they do here: recent ones count the listed hosts, older ones make three workers.
function countsHosts({ platform }: Fields): boolean {
  return isRecord(platform) && isRecord(platform["baremetal"]) && Array.isArray(platform["baremetal"]["hosts"]);
}

function unclearDefault(where: string, { problems }: Findings): number {
  problems.push({
    where,
    message: "not set, and with platform.baremetal.hosts the default depends on the installer's version",
    hint: "Write the number of workers.",
  });
  return unusable;
}

function unset(value: unknown): boolean {
  return value === undefined || value === null;
}

function defaultFor(role: string): number {
  return emptyByDefault.includes(role) ? 0 : defaultReplicas;
}

function notAMapping(where: string, value: unknown): Problem {
  return {
    where,
    message: `${quote(value)} is not a mapping`,
    hint: "Write fields and values, as the installer does.",
  };
}

/** Same letters but for case, separators, a plural, or a slip of the finger. */
function looksLike(key: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, "");
  const [a, b] = [plain(key), plain(name)];
  return a === b || distance(a, b) <= 2;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
