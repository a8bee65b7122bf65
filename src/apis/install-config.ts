// The replica counts of an install-config, with the installer's own defaults where it is silent. Each default taken is a
// note, and a key that looks like a misspelt one is a problem: it would silently turn into a default.

import { checked, checkReplicas, checkTogether, type DeclaredReplicas } from "./declared-replicas.ts";
import { type Checked, isRecord, type Problem, quote } from "./problem.ts";

const topLevelKeys = ["controlPlane", "compute", "arbiter"];
const defaultReplicas = 3;
/** Pools that the installer leaves empty unless told otherwise. */
const emptyByDefault = ["edge", "arbiter"];

export interface InstallConfigOptions {
  /** The control plane runs elsewhere: what the file says of it is not read. */
  readonly external?: boolean;
}

export function readInstallConfig(value: unknown, options: InstallConfigOptions = {}): Checked<DeclaredReplicas> {
  if (!isRecord(value)) {
    return { ok: false, problems: [notAMapping("install-config", value)] };
  }
  const reading = new Reading();
  reading.checkKeys("", value, topLevelKeys);
  const declared: DeclaredReplicas = {
    controlPlane: options.external ? "external" : reading.pool("controlPlane", value["controlPlane"], "master"),
    workers: reading.compute(value),
    arbiters: value["arbiter"] === undefined ? 0 : reading.pool("arbiter", value["arbiter"], "arbiter"),
  };
  const whole = reading.problems.length > 0 ? [] : checkTogether(declared, placeNames);
  return checked(declared, [...reading.problems, ...whole], reading.notes);
}

const placeNames = { controlPlane: "controlPlane.replicas", arbiters: "arbiter.replicas" };

/** Collects problems and notes while the counts are read. */
class Reading {
  readonly problems: Problem[] = [];
  readonly notes: string[] = [];

  compute(config: Readonly<Record<string, unknown>>): number[] {
    const pools = config["compute"];
    if (pools === undefined || pools === null || (Array.isArray(pools) && pools.length === 0)) {
      if (this.#countsHosts(config)) return [this.#hostsProblem("compute")];
      this.notes.push(`compute is not set: the installer makes one worker pool of ${defaultReplicas}`);
      return [defaultReplicas];
    }
    if (!Array.isArray(pools)) {
      this.problems.push({
        where: "compute",
        message: `${quote(pools)} is not a list`,
        hint: "Write a list of pools.",
      });
      return [];
    }
    return pools.map((pool: unknown, index) => {
      const where = `compute[${index}]`;
      if (isRecord(pool) && unset(pool["replicas"]) && pool["name"] !== "edge" && this.#countsHosts(config)) {
        return this.#hostsProblem(`${where}.replicas`);
      }
      return this.pool(where, pool, "worker");
    });
  }

  pool(where: string, value: unknown, role: string): number {
    if (unset(value)) {
      this.notes.push(`${where} is not set: the installer makes ${defaultFor(role)}`);
      return defaultFor(role);
    }
    if (!isRecord(value)) {
      this.problems.push(notAMapping(where, value));
      return 0;
    }
    this.checkKeys(`${where}.`, value, ["replicas"]);
    if (unset(value["replicas"])) {
      const replicas = defaultFor(typeof value["name"] === "string" && role !== "master" ? value["name"] : role);
      this.notes.push(`${where}.replicas is not set: the installer makes ${replicas}`);
      return replicas;
    }
    const replicas = checkReplicas(`${where}.replicas`, value["replicas"]);
    if (typeof replicas === "number") return replicas;
    this.problems.push(replicas);
    return 0;
  }

  checkKeys(prefix: string, value: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      const meant = known.find((name) => name !== key && looksLike(key, name));
      if (meant === undefined || known.includes(key)) continue;
      this.problems.push({
        where: `${prefix}${key}`,
        message: "the installer does not know this field and would take its default instead",
        hint: `Write ${prefix}${meant}.`,
      });
    }
  }

  // Installers differ on what they do here: recent ones count the listed hosts, older ones make three workers.
  #countsHosts(config: Readonly<Record<string, unknown>>): boolean {
    const platform = config["platform"];
    return isRecord(platform) && isRecord(platform["baremetal"]) && Array.isArray(platform["baremetal"]["hosts"]);
  }

  #hostsProblem(where: string): number {
    this.problems.push({
      where,
      message: "not set, and with platform.baremetal.hosts the default depends on the installer's version",
      hint: "Write the number of workers.",
    });
    return 0;
  }
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
