// What a cloud's Octavia can do, asked for rarely: it changes with an upgrade of the cloud. What a provider refused is remembered here
// too, so that it is asked for once and not in every round.

import type { Capabilities, ProviderRefusal } from "../../core/api-endpoint/observed.ts";
import { isRefused, refusedAfter } from "../../core/api-endpoint/provider-features.ts";
import type { OctaviaReader } from "../../ports/octavia.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";

export interface CapabilityRequest {
  readonly endpointKey: string;
  readonly octavia: Pick<OctaviaReader, "version" | "listProviders" | "listFlavors" | "listAvailabilityZones">;
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly capabilities: Capabilities;
  readonly askedMs: number;
  /** Was in a bad request; whether the cloud still has it was to be asked again. */
  readonly suspects: readonly ProviderRefusal[];
}

const lifetimeMs = 3_600_000;
const doubted = Number.NEGATIVE_INFINITY;
/** The availability-zone API is younger than the rest. */
const zonesSince = 14;
const flavorsSince = 6;

export class CapabilityCache {
  readonly #asked = new Map<string, Asked>();

  async get(request: CapabilityRequest): Promise<Capabilities> {
    const { endpointKey, nowMs } = request;
    const known = this.#asked.get(endpointKey);
    if (known !== undefined && nowMs - known.askedMs < lifetimeMs) return known.capabilities;
    const asked = await ask(request);
    const before = this.#asked.get(endpointKey);
    const kept = before?.askedMs === doubted ? before : undefined;
    const capabilities = { ...asked, refused: kept?.capabilities.refused ?? [] };
    this.#asked.set(endpointKey, { capabilities, askedMs: nowMs, suspects: kept?.suspects ?? [] });
    return capabilities;
  }

  /**
   * What was said may no longer hold: ask again, and keep what was refused. A zone may have been taken out of service; one that is
   * listed still, and in a bad request again, is taken for refused.
   */
  doubt(endpointKey: string, suspects: readonly ProviderRefusal[] = []): void {
    this.#change(endpointKey, (known) => {
      const isConfirmed = (one: ProviderRefusal) => known.askedMs !== doubted && isRefused(known.suspects, one);
      return {
        ...known,
        ...withRefused(known, [...known.capabilities.refused, ...suspects.filter(isConfirmed)]),
        askedMs: doubted,
        suspects: [...known.suspects, ...suspects.filter((one) => !isRefused(known.suspects, one))],
      };
    });
  }

  /** The request was as bad without a zone: it was not the zone. */
  acquit(endpointKey: string, provider: string): void {
    const isOther = (one: ProviderRefusal) => one.provider !== provider || one.zone === undefined;
    this.#change(endpointKey, (known) => ({
      ...known,
      ...withRefused(known, known.capabilities.refused.filter(isOther)),
      suspects: known.suspects.filter(isOther),
    }));
  }

  /** Forgotten with the rest when it is time to ask again: a provider may have learnt it. */
  refused(endpointKey: string, asked: readonly ProviderRefusal[]): void {
    this.#change(endpointKey, (known) => ({
      ...known,
      ...withRefused(known, refusedAfter(known.capabilities.refused, asked)),
    }));
  }

  #change(endpointKey: string, changed: (known: Asked) => Asked): void {
    const known = this.#asked.get(endpointKey);
    if (known !== undefined) this.#asked.set(endpointKey, changed(known));
  }
}

function withRefused({ capabilities }: Asked, refused: readonly ProviderRefusal[]): Pick<Asked, "capabilities"> {
  return { capabilities: { ...capabilities, refused } };
}

async function ask({ octavia, call }: CapabilityRequest): Promise<Omit<Capabilities, "refused">> {
  const version = await octavia.version(call);
  const since = (minor: number): boolean => version[0] > 2 || (version[0] === 2 && version[1] >= minor);
  const [providers, flavors, zones] = await Promise.all([
    octavia.listProviders(call),
    since(flavorsSince) ? octavia.listFlavors(call) : [],
    since(zonesSince) ? octavia.listAvailabilityZones(call) : [],
  ]);
  const availabilityZones = zones.filter(({ enabled }) => enabled).map(({ name }) => name);
  return { version, providers, flavors, availabilityZones };
}
