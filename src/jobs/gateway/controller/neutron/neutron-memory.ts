// What Neutron said last about a pool, kept true by our own changes, so that a new Service costs no list and a quiet pool few. After a
// change whose end nobody knows, it is asked again before anything is decided.

import type { FloatingIp, Port, Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type { OpenStackProject } from "../../../../ports/openstack.ts";

export interface NeutronView {
  readonly ports: ReadonlyMap<string, Port>;
  readonly floatingIps: ReadonlyMap<string, FloatingIp>;
  readonly named: readonly Port[];
  readonly namedFloatingIps: readonly FloatingIp[];
  readonly gatewayPorts: ReadonlyMap<string, Port>;
  readonly subnets: readonly Subnet[];
  /** Ports that were asked for by their ids, whether they are there or not. */
  readonly asked: ReadonlySet<string>;
  /** What it was asked with. */
  readonly about: string;
  readonly askedMs: number;
}

export class NeutronMemory {
  project: OpenStackProject | undefined;
  #view: NeutronView | undefined;
  #isDoubtful = false;
  #changes = 0;

  /** Undefined: it has to be asked for first. */
  view(about: string): NeutronView | undefined {
    return this.#isDoubtful || this.#view?.about !== about ? undefined : this.#view;
  }

  /** Counts our changes: an answer from before one of them is not taken. */
  get changes(): number {
    return this.#changes;
  }

  learn(view: NeutronView, changes: number): void {
    if (changes !== this.#changes) return;
    this.#view = view;
    this.#isDoubtful = false;
  }

  doubt(): void {
    this.#changes += 1;
    this.#isDoubtful = true;
  }

  gatewayPort(id: string): Port | undefined {
    return this.#isDoubtful ? undefined : this.#view?.gatewayPorts.get(id);
  }

  port(port: Port): void {
    this.#change((view) => {
      if (view.gatewayPorts.has(port.id)) return { gatewayPorts: new Map([...view.gatewayPorts, [port.id, port]]) };
      return { ports: new Map([...view.ports, [port.id, port]]), named: view.named.filter(({ id }) => id !== port.id) };
    });
  }

  portGone(id: string): void {
    this.#change(({ ports, floatingIps }) => ({
      ports: new Map([...ports].filter(([one]) => one !== id)),
      floatingIps: new Map([...floatingIps].map(([key, one]) => [key, one.portId === id ? detached(one) : one])),
    }));
  }

  floatingIp(floatingIp: FloatingIp): void {
    this.#change((view) => ({
      floatingIps: new Map([...view.floatingIps, [floatingIp.id, floatingIp]]),
      namedFloatingIps: view.namedFloatingIps.filter(({ id }) => id !== floatingIp.id),
    }));
  }

  floatingIpGone(id: string): void {
    this.#change(({ floatingIps }) => ({ floatingIps: new Map([...floatingIps].filter(([one]) => one !== id)) }));
  }

  #change(change: (view: NeutronView) => Partial<NeutronView>): void {
    this.#changes += 1;
    if (this.#view !== undefined) this.#view = { ...this.#view, ...change(this.#view) };
  }
}

function detached({ portId: _, fixedAddress: __, ...rest }: FloatingIp): FloatingIp {
  return rest;
}
