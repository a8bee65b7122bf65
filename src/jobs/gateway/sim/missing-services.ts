// What has yet to become true of Services, gateways and Neutron, in words. While a gateway is down only what does not need it is checked.

import { formatRef, refOf } from "../../../apis/kube/kube-object.ts";
import { conditionsOf, findCondition } from "../../../core/conditions.ts";
import { hasFinalizer } from "../../../core/ownership.ts";
import { addressRecord } from "../apis/annotations.ts";
import type { Service } from "../apis/kube-objects.ts";
import { forwardingsOf } from "../core/gateways/carried.ts";
import { forwardingKey, type GatewayDocument } from "../core/model/document.ts";
import { poolFinalizer } from "../core/plan.ts";
import { serviceFinalizer } from "../core/services/service-standing.ts";
import { foreignIngress, sourceAddressesOf } from "./gateway-objects.ts";
import {
  addressOf,
  allServices,
  announcers,
  carriedAddress,
  type GatewaySim,
  ourMark,
  ourPorts,
  poolName,
  poolResource,
  serviceAt,
} from "./gateway-sim.ts";
import { type DesiredService, isServed, keyOf, type ServicePlace } from "./people/desired-service.ts";
import type { GatewayMachine } from "./world/gateway-machine.ts";

type Wishes = ReadonlyMap<ServicePlace, DesiredService>;

export function missingServices(sim: GatewaySim, wishes: Wishes, down: GatewayMachine | undefined): string | undefined {
  const pool = sim.world.view.objectAt(poolResource, poolName);
  if (pool === undefined || pool.metadata.deletionTimestamp !== undefined || !hasFinalizer(pool, poolFinalizer))
    return down === undefined ? "the pool is not held" : undefined;
  for (const [place, wished] of wishes) {
    const lacking = lackingService(sim, place, wished, down);
    if (lacking !== undefined) return `Service ${keyOf(place)} ${lacking}`;
  }
  if (down !== undefined) return undefined;
  const ready = findCondition(conditionsOf(pool), "Ready");
  if (ready?.status !== "True") return `the pool is not Ready: ${ready?.reason ?? "nothing"}`;
  return shownTwice(sim) ?? differentDocuments(sim) ?? leftInNeutron(sim) ?? wrongPairs(sim);
}

function lackingService(
  sim: GatewaySim,
  place: ServicePlace,
  wished: DesiredService,
  down: GatewayMachine | undefined,
): string | undefined {
  const service = serviceAt(sim, keyOf(place));
  if (!wished.present) return service === undefined || down !== undefined ? undefined : "is still there";
  if (service === undefined || service.metadata.deletionTimestamp !== undefined)
    return down === undefined ? "is missing" : undefined;
  const shown = shownBy(service);
  if (place.isForeign === true) return shown.length === 0 ? undefined : `shows ${shown.join()} beside its own`;
  if (!isServed(wished, place)) return down === undefined ? notReleased(service, shown) : undefined;
  if (place.bad === "address")
    return (
      lackingCondition(service, "RequestedAddressUnavailable") ?? (shown.length > 0 ? "has an address" : undefined)
    );
  return (
    lackingAddress(sim, service, wished, down) ??
    (place.bad === undefined && down === undefined ? stillTroubled(service) : undefined)
  );
}

function lackingAddress(
  sim: GatewaySim,
  service: Service,
  { ports }: DesiredService,
  down: GatewayMachine | undefined,
): string | undefined {
  const shown = shownBy(service);
  const key = formatRef(refOf(service));
  if (down?.isOn === true && shown.length === 0) return undefined;
  if (!hasFinalizer(service, serviceFinalizer)) return "is not held";
  const record = addressRecord(service.metadata.annotations);
  if (!record.isManaged || record.ports.length === 0) return "has no address on record";
  if (shown.length !== 1) return `shows ${shown.length} addresses`;
  const address = carriedAddress(sim, shown[0] ?? "");
  if (address === undefined) return `shows ${shown.join()}, which leads nowhere`;
  const keys = ports.map((port) => forwardingKey({ address, ...port }));
  for (const { name, gateway } of sim.machines.filter((one) => one !== down)) {
    const carried = gateway.rules === undefined ? undefined : forwardingsOf(gateway.rules);
    const missing = keys.find((one) => carried?.get(one)?.service !== key);
    if (missing !== undefined) return `is not carried by ${name}: ${missing}`;
  }
  if (!announcers(sim).some(([one]) => one === address)) return `${address} is announced by nobody`;
  return undefined;
}

function notReleased(service: Service, shown: readonly string[]): string | undefined {
  if (hasFinalizer(service, serviceFinalizer)) return "is still held";
  const record = addressRecord(service.metadata.annotations);
  if (record.isManaged || record.ports.length + record.ingress.length > 0) return "still has its record";
  return shown.length > 0 ? `still shows ${shown.join()}` : undefined;
}

function lackingCondition(service: Service, reason: string): string | undefined {
  const found = findCondition(conditionsOf(service), "GatewayServed");
  return found?.status === "False" && found.reason === reason ? undefined : `does not say ${reason}`;
}

function stillTroubled(service: Service): string | undefined {
  const found = findCondition(conditionsOf(service), "GatewayServed");
  return found?.status === "False" ? `still says ${found.reason}` : undefined;
}

function shownBy({ status }: Service): readonly string[] {
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
  return addresses.filter((ip) => ip !== foreignIngress.ip);
}

/** One port of one address belongs to one Service. */
function shownTwice(sim: GatewaySim): string | undefined {
  const owners = new Map<string, string>();
  for (const service of allServices(sim)) {
    const key = formatRef(refOf(service));
    for (const ip of shownBy(service))
      for (const { protocol = "TCP", port } of service.spec?.ports ?? []) {
        const name = `${ip} ${protocol} ${port}`;
        const other = owners.get(name);
        if (other !== undefined) return `${name} is shown by ${other} and by ${key}`;
        owners.set(name, key);
      }
  }
  return undefined;
}

function differentDocuments({ machines }: GatewaySim): string | undefined {
  const versions = new Set(machines.map(({ agent }) => versionOf(agent?.agent.document())));
  return versions.size > 1 ? `gateways carry different documents: ${[...versions].join()}` : undefined;
}

function neededAddresses(sim: GatewaySim): ReadonlySet<string> {
  return new Set(
    allServices(sim)
      .filter((service) => hasFinalizer(service, serviceFinalizer))
      .flatMap(shownBy)
      .flatMap((ip) => carriedAddress(sim, ip) ?? []),
  );
}

function leftInNeutron(sim: GatewaySim): string | undefined {
  const needed = neededAddresses(sim);
  const port = ourPorts(sim).find((one) => !needed.has(addressOf(one)));
  if (port !== undefined) return `port ${addressOf(port)} is used by nobody`;
  const carried = sim.machines[0]?.gateway.rules?.addresses.find(({ address }) => !needed.has(address));
  if (carried !== undefined) return `${carried.address} is carried for nobody`;
  const ids = new Set(ourPorts(sim).map(({ id }) => id));
  const loose = sim.fake.cloud.tables.floatingips
    .all()
    .find(({ description, portId }) => description === ourMark && (portId === undefined || !ids.has(portId)));
  return loose === undefined ? undefined : `floating IP ${loose.address} is used by nobody`;
}

function wrongPairs(sim: GatewaySim): string | undefined {
  if (sim.setting.source === "static") return undefined;
  const needed = new Set([...neededAddresses(sim), ...sourceAddressesOf(sim)]);
  for (const [name, id] of sim.gatewayPorts) {
    const pairs = new Set(
      (sim.fake.cloud.tables.ports.get(id)?.allowedAddressPairs ?? []).map(({ address }) => address),
    );
    const missing = [...needed].find((address) => !pairs.has(address));
    if (missing !== undefined) return `${name} may not use ${missing}`;
  }
  return undefined;
}

function versionOf(document: GatewayDocument | undefined): string {
  return document === undefined ? "none" : `${document.version.epoch}.${document.version.generation}`;
}
