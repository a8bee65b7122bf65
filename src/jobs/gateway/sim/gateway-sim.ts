// The simulated world of gateways: machines with real agents, a cloud, and what is known about both from outside. People, faults and
// checkers share it.

import type { Clock } from "../../../ports/clock.ts";
import type { OpenStackProject } from "../../../ports/openstack.ts";
import type { PortRecord } from "../../../sim/fakes/openstack/cloud-records.ts";
import type { FakeOpenStack } from "../../../sim/fakes/openstack/fake-openstack.ts";
import { createLabShaped, type LabShaped } from "../../../sim/fakes/openstack/lab-shaped.ts";
import { CallEffects } from "../../../sim/openstack/call-effects.ts";
import type { JobWorld } from "../../../sim/run/sim-job.ts";
import { between } from "../../../sim/time/derive-seed.ts";
import type { Service } from "../apis/kube-objects.ts";
import { poolMark } from "../core/situation/marks.ts";
import type { GatewayCall } from "./fake-gateway.ts";
import { drawSetting, type GatewaySetting } from "./gateway-setting.ts";
import { GatewayMachine } from "./world/gateway-machine.ts";
import { instancesOf, leadersOf, rolesOf } from "./world/vrrp-election.ts";

export const poolName = "public";
export const clusterId = "cluster-1";
export const serviceResource = "/services";
export const poolResource = "mainstay.dev/gatewaypools";

export interface GatewaySim {
  readonly world: JobWorld;
  readonly setting: GatewaySetting;
  readonly clock: Clock;
  readonly lab: LabShaped;
  readonly fake: FakeOpenStack;
  readonly effects: CallEffects;
  /** As people use it: no faults, no delays. */
  readonly project: OpenStackProject;
  readonly password: string;
  readonly agentSecret: string;
  readonly machines: readonly GatewayMachine[];
  /** Of the machines, by name: their ports in Neutron. */
  readonly gatewayPorts: Map<string, string>;
  /** Told of each thing that an agent did to its machine. */
  readonly onEffect: ((machine: GatewayMachine, call: GatewayCall) => void)[];
  /** Services that may get another address since then: people or operators saw to that. */
  readonly mayMove: Map<string, number>;
  /** Until faults end. */
  crashesOnWrite: boolean;
}

export function createGatewaySim(world: JobWorld, clock: Clock): GatewaySim {
  const setting = drawSetting(world.random, world.isSlow);
  const lab = createLabShaped({ clock, random: world.random, maxAddressPairs: 30 });
  const { fake } = lab;
  const password = world.secretMarker("openstack-password");
  fake.faults.setPassword("demo", password);
  const { auth, ...config } = lab.clouds.password;
  const own = auth.type === "password" ? { ...auth, password } : auth;
  const agentSecret = world.secretMarker("agents");
  const onEffect: GatewaySim["onEffect"] = [];
  const tell = (machine: GatewayMachine, call: GatewayCall) => {
    for (const listener of onEffect) listener(machine, call);
  };
  const key = new TextEncoder().encode(agentSecret);
  return {
    world,
    setting,
    clock,
    lab,
    fake,
    effects: new CallEffects(fake),
    project: fake.project({ ...config, auth: own }),
    password,
    agentSecret,
    machines: setting.gateways.map((name) => new GatewayMachine({ name, key, clock, onEffect: tell })),
    gatewayPorts: new Map(),
    onEffect,
    mayMove: new Map(),
    crashesOnWrite: setting.crashesOnWrite,
  };
}

export function elect({ machines }: Pick<GatewaySim, "machines">): ReadonlyMap<number, string> {
  const leaders = leadersOf(machines);
  for (const machine of machines) machine.gateway.roles = rolesOf(machine, leaders);
  return leaders;
}

/** Addresses that machines answer for now, and which. */
export function announcers({ machines }: Pick<GatewaySim, "machines">): readonly (readonly [string, string])[] {
  const leaders = leadersOf(machines);
  return machines
    .filter(({ isOn }) => isOn)
    .flatMap(({ name, gateway }) =>
      instancesOf(gateway)
        .filter(({ virtualRouterId }) => leaders.get(virtualRouterId) === name)
        .flatMap(({ addresses }) => addresses.map((address) => [address, name] as const)),
    );
}

export function serviceAt({ world }: Pick<GatewaySim, "world">, key: string): Service | undefined {
  return world.view.objectAt(serviceResource, key);
}

export function allServices({ world }: Pick<GatewaySim, "world">): readonly Service[] {
  return world.view.objects(serviceResource);
}

export const ourMark = poolMark(clusterId, poolName);

export function ourPorts({ fake }: Pick<GatewaySim, "fake">): readonly PortRecord[] {
  return fake.cloud.tables.ports.all().filter(({ description }) => description === ourMark);
}

export function addressOf({ fixedIps }: Pick<PortRecord, "fixedIps">): string {
  return fixedIps[0]?.address ?? "";
}

/** What clients use → what gateways carry. */
export function carriedAddress({ fake, setting }: GatewaySim, shown: string): string | undefined {
  const { floatingips, ports } = fake.cloud.tables;
  if (setting.source === "static") return shown;
  if (setting.source === "neutron") return ports.all().some((port) => addressOf(port) === shown) ? shown : undefined;
  const portId = floatingips.all().find(({ address }) => address === shown)?.portId;
  const port = portId === undefined ? undefined : ports.get(portId);
  return port === undefined ? undefined : addressOf(port);
}

/** Somebody did something to a Service, or to what it has, that may cost it its address. */
export function excuse({ mayMove, clock }: GatewaySim, key: string): void {
  mayMove.set(key, clock.monotonicMs());
}

/** After a while that the seed draws. */
export function later({ world }: GatewaySim, lowMs: number, highMs: number, step: () => Promise<void> | void): void {
  const { random, network } = world;
  network.scheduler.after(between(random, lowMs, highMs), undefined, () => void step());
}
