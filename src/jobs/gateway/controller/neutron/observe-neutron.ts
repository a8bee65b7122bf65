// What Neutron has for a pool: what bears its mark, the gateways' own ports, and ports that Services name. Lists by mark, once for all
// Services; asked for again after a while, after a change that failed, or when a Service names something unknown.

import { explainError } from "../../../../core/explain.ts";
import { type Known, known } from "../../../../core/known.ts";
import type { Port } from "../../../../core/openstack/neutron-objects.ts";
import type { Reader } from "../../../../engine/feature.ts";
import { Questions } from "../../../../engine/round/questions.ts";
import type { NeutronReader } from "../../../../ports/neutron.ts";
import type { OpenStack } from "../../../../ports/openstack.ts";
import { addressRecord } from "../../apis/annotations.ts";
import { isUuid } from "../../apis/field-problems.ts";
import type { GatewayPool, GatewaySpec } from "../../apis/gateway-pool.ts";
import type { Service } from "../../apis/kube-objects.ts";
import type { NeutronObserved } from "../../core/model/observed.ts";
import { poolMark } from "../../core/situation/marks.ts";
import type { PoolMemory } from "../pool-memory.ts";
import { cloudOfPool } from "./cloud-of-pool.ts";
import type { NeutronView } from "./neutron-memory.ts";

export interface NeutronQuestion {
  readonly pool: GatewayPool;
  /** Those that left it, too: their ports still allow what they carried. */
  readonly gateways: readonly GatewaySpec[];
  readonly services: readonly Service[];
  readonly clusterId: Known<string>;
  readonly memory: PoolMemory;
  readonly reader: Reader;
}

export interface NeutronAnswer {
  readonly neutron: Known<NeutronObserved>;
  /** By id, of gateways. */
  readonly gatewayPorts: ReadonlyMap<string, Port>;
}

export class NeutronObserver {
  readonly #openStack: OpenStack;
  readonly #observeAgainMs: number;
  readonly #questions = new Questions<{ readonly view: NeutronView; readonly changes: number }>();

  constructor(openStack: OpenStack, observeAgainMs: number) {
    this.#openStack = openStack;
    this.#observeAgainMs = observeAgainMs;
  }

  /** Undefined: the pool's addresses are not Neutron's. */
  async observe(question: NeutronQuestion): Promise<NeutronAnswer | undefined> {
    const { pool, clusterId, memory, reader } = question;
    if (pool.spec?.addresses?.neutron === undefined) return undefined;
    if (!clusterId.known) return { neutron: clusterId, gatewayPorts: new Map() };
    const about = aboutOf(question, clusterId.value);
    const before = memory.neutron.view(about);
    const names = namedPorts(question, before);
    const isYoung = before !== undefined && reader.monotonicMs - before.askedMs < this.#observeAgainMs;
    if (before !== undefined && isYoung && names.every((id) => before.asked.has(id))) return answer(before);
    try {
      const ask = () => this.#ask(question, clusterId.value, about, names);
      const asking = { monotonicMs: reader.monotonicMs, inTime: reader.inTime };
      const changes = memory.neutron.changes;
      const found = await this.#questions.ask(
        pool.metadata.name,
        { about: `${about} ${changes} ${names.join()}`, ask },
        asking,
      );
      if (found !== "awaited") memory.neutron.learn(found.value.view, found.value.changes);
      const view = found === "awaited" ? before : (memory.neutron.view(about) ?? found.value.view);
      if (view !== undefined) return answer(view);
      const message = "Neutron was asked which addresses there are";
      return { neutron: { known: false, reason: "CloudAwaited", message }, gatewayPorts: new Map() };
    } catch (error) {
      const { reason, text: message } = explainError(error);
      return { neutron: { known: false, reason, message }, gatewayPorts: new Map() };
    }
  }

  forget(pool: string): void {
    this.#questions.forget(pool);
  }

  async #ask(
    { pool, gateways, memory, reader }: NeutronQuestion,
    clusterId: string,
    about: string,
    names: readonly string[],
  ) {
    const { kube, signal, monotonicMs } = reader;
    const changes = memory.neutron.changes;
    const identity = pool.spec?.addresses?.neutron?.identityRef ?? { name: "", cloudName: "" };
    const project = this.#openStack.project(await cloudOfPool(identity, kube, { signal }));
    memory.neutron.project = project;
    const mark = poolMark(clusterId, pool.metadata.name);
    const view = await readView(project.neutron, { pool, gateways }, mark, names, { signal });
    return { view: { ...view, about, askedMs: monotonicMs }, changes };
  }
}

async function readView(
  neutron: NeutronReader,
  { pool: { spec = {} }, gateways }: Pick<NeutronQuestion, "pool" | "gateways">,
  mark: string,
  names: readonly string[],
  options: { readonly signal: AbortSignal },
): Promise<Omit<NeutronView, "about" | "askedMs">> {
  const own = gateways.flatMap(({ externalPortID, internalPortID }) => [externalPortID, internalPortID]);
  const ownIds = new Set(own.filter((id) => id !== undefined));
  const ids = [...new Set([...ownIds, ...names])];
  const { ipv4, ipv6 } = spec.addresses?.neutron?.subnets ?? {};
  const subnetIds = [ipv4?.id, ipv6?.id].filter((id) => id !== undefined);
  const [ports, floatingIps, byId, subnets] = await Promise.all([
    neutron.listPorts({ descriptions: [mark] }, options),
    neutron.listFloatingIps({ descriptions: [mark] }, options),
    ids.length === 0 ? [] : neutron.listPorts({ ids }, options),
    Promise.all(subnetIds.map((id) => neutron.getSubnet(id, options))),
  ]);
  const named = byId.filter(({ id }) => names.includes(id) && !ownIds.has(id));
  const portIds = named.map(({ id }) => id);
  const namedFloatingIps = portIds.length === 0 ? [] : await neutron.listFloatingIps({ portIds }, options);
  return {
    ports: new Map(ports.map((port) => [port.id, port])),
    floatingIps: new Map(floatingIps.map((one) => [one.id, one])),
    named,
    namedFloatingIps,
    asked: new Set(names),
    gatewayPorts: new Map(byId.filter(({ id }) => ownIds.has(id)).map((port) => [port.id, port])),
    subnets,
  };
}

/** What Services name and is not known to be ours. */
function namedPorts({ pool, services }: NeutronQuestion, view: NeutronView | undefined): readonly string[] {
  const names = services
    .map(({ metadata }) => addressRecord(metadata.annotations))
    .filter((record) => record.pool === undefined || record.pool === pool.metadata.name)
    .flatMap(({ ports }) => ports.filter(isUuid));
  return [...new Set(names)].filter((id) => view?.ports.has(id) !== true).toSorted();
}

function aboutOf({ pool: { spec = {} }, gateways }: NeutronQuestion, clusterId: string): string {
  const { identityRef, subnets } = spec.addresses?.neutron ?? {};
  const ports = gateways.flatMap(({ externalPortID, internalPortID }) => [externalPortID, internalPortID]);
  return JSON.stringify([clusterId, identityRef, subnets, ports]);
}

function answer({ ports, floatingIps, named, namedFloatingIps, subnets, gatewayPorts }: NeutronView): NeutronAnswer {
  return {
    neutron: known({
      ports: [...ports.values()],
      floatingIps: [...floatingIps.values()],
      named,
      namedFloatingIps,
      subnets,
    }),
    gatewayPorts,
  };
}
