// The API version in which kubectl asks for objects of a kind, as discovery tells it. Many read Events by that version, whichever one Mainstay
// itself speaks. Remembered for a while; where nobody tells, the object's own version has to do.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";

export interface PreferredVersionsOptions {
  readonly kube: Pick<Kube, "request">;
  readonly clock: Clock;
  readonly deadlineMs: number;
}

/** A definition that gets another version is a rare event, and an old answer does little harm. */
const rememberedMs = 10 * 60_000;

type Versioned = Pick<KubeObject, "apiVersion" | "kind">;

export class PreferredVersions {
  readonly #options: PreferredVersionsOptions;
  readonly #known = new Map<string, { readonly apiVersion: string; readonly untilMs: number }>();

  constructor(options: PreferredVersionsOptions) {
    this.#options = options;
  }

  /** Undefined: it has to be asked for. */
  known({ apiVersion, kind }: Versioned): string | undefined {
    const group = groupOf(apiVersion);
    if (group === undefined) return apiVersion;
    const known = this.#known.get(`${kind}.${group}`);
    return known !== undefined && this.#options.clock.monotonicMs() < known.untilMs ? known.apiVersion : undefined;
  }

  async ask(object: Versioned): Promise<string> {
    const { apiVersion, kind } = object;
    const known = this.known(object);
    const group = groupOf(apiVersion);
    if (known !== undefined || group === undefined) return known ?? apiVersion;
    const found = (await this.#ask(group, kind).catch(() => undefined)) ?? apiVersion;
    this.#known.set(`${kind}.${group}`, {
      apiVersion: found,
      untilMs: this.#options.clock.monotonicMs() + rememberedMs,
    });
    return found;
  }

  /** The first version of the group, in the server's order, that has the kind. */
  async #ask(group: string, kind: string): Promise<string | undefined> {
    const versions = textsIn(await this.#get(`/apis/${group}`), "versions", "groupVersion");
    for (const groupVersion of versions) {
      const kinds = textsIn(await this.#get(`/apis/${groupVersion}`), "resources", "kind");
      if (kinds.includes(kind)) return groupVersion;
    }
    return undefined;
  }

  #get(path: string): Promise<unknown> {
    return this.#options.kube.request({ method: "GET", path, deadlineMs: this.#options.deadlineMs });
  }
}

/** Undefined for the kinds without a group, which have one version. */
function groupOf(apiVersion: string): string | undefined {
  const [group, version] = apiVersion.split("/");
  return version === undefined ? undefined : group;
}

function textsIn(answer: unknown, list: string, field: string): readonly string[] {
  const entries: unknown = isRecord(answer) ? answer[list] : [];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const value = isRecord(entry) ? entry[field] : undefined;
    return typeof value === "string" ? [value] : [];
  });
}
