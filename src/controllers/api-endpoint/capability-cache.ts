// What a cloud's Octavia can do, asked for rarely: it changes with an upgrade of the cloud. What a provider refused with 501 is
// remembered here too, so that it is asked for once and not in every round.

import type { Capabilities, ProviderRefusal } from "../../core/api-endpoint/observed.ts";
import type { OctaviaReader } from "../../ports/octavia.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";

export interface CapabilityRequest {
  readonly endpointKey: string;
  readonly octavia: OctaviaReader;
  readonly nowMs: number;
  readonly call: CloudCallOptions;
}

interface Asked {
  readonly capabilities: Capabilities;
  readonly askedMs: number;
}

const lifetimeMs = 3_600_000;
/** The availability-zone API is younger than the rest. */
const zonesSince = 14;
const flavorsSince = 6;

export class CapabilityCache {
  readonly #asked = new Map<string, Asked>();

  async get(request: CapabilityRequest): Promise<Capabilities> {
    const { endpointKey, nowMs } = request;
    const known = this.#asked.get(endpointKey);
    if (known !== undefined && nowMs - known.askedMs < lifetimeMs) return known.capabilities;
    const capabilities = await ask(request);
    this.#asked.set(endpointKey, { capabilities, askedMs: nowMs });
    return capabilities;
  }

  /** What was said may no longer hold: ask again, and keep what was refused. */
  doubt(endpointKey: string): void {
    const known = this.#asked.get(endpointKey);
    if (known !== undefined) this.#asked.set(endpointKey, { ...known, askedMs: Number.NEGATIVE_INFINITY });
  }

  /** Forgotten with the rest when it is time to ask again: a provider may have learnt it. */
  refused(endpointKey: string, refusal: ProviderRefusal): void {
    const known = this.#asked.get(endpointKey);
    if (known === undefined) return;
    const refused = [...known.capabilities.refused, refusal];
    this.#asked.set(endpointKey, { ...known, capabilities: { ...known.capabilities, refused } });
  }
}

async function ask({ octavia, call }: CapabilityRequest): Promise<Capabilities> {
  const version = await octavia.version(call);
  const since = (minor: number): boolean => version[0] > 2 || (version[0] === 2 && version[1] >= minor);
  const [providers, flavors, zones] = await Promise.all([
    octavia.listProviders(call),
    since(flavorsSince) ? octavia.listFlavors(call) : [],
    since(zonesSince) ? octavia.listAvailabilityZones(call) : [],
  ]);
  const availabilityZones = zones.filter(({ enabled }) => enabled).map(({ name }) => name);
  return { version, providers, flavors, availabilityZones, refused: [] };
}
