// What a person can break in the demonstration's cloud: a zone, its members, its balancer, or the way to the cloud's API. Zones are
// named by their number: az2 is 2.

import type { Random } from "../../../../ports/random.ts";
import type { FaultParameter } from "../../../../server/contract.ts";
import { zones } from "../../../../sim/demo/demo-cloud.ts";
import type { FaultDefinition } from "../../../../sim/demo/fault-registry.ts";
import type { CloudCallPlan } from "../../../../sim/fakes/openstack/call-handler.ts";
import type { BalancerRecord } from "../../../../sim/fakes/openstack/cloud-records.ts";
import type { FakeOpenStack } from "../../../../sim/fakes/openstack/fake-openstack.ts";

const zoneParameter: FaultParameter = { name: "zone", title: "zone az", default: 2, min: 1, max: zones.length };

export function cloudFaultDefinitions(fake: FakeOpenStack, random: Random): readonly FaultDefinition[] {
  return [
    zoneDark(fake),
    membersDown(fake),
    balancerInError(fake),
    balancerDeleted(fake),
    cloudSlow(fake),
    cloudRateLimits(fake, random),
    cloudAway(fake),
  ];
}

function zoneDark({ faults }: FakeOpenStack): FaultDefinition {
  return {
    id: "zone-dark",
    title: "Lose a zone",
    description: "A whole zone of the cloud fails: its balancer and the machines behind it do not answer.",
    watch:
      "The zone turns bad on the page of OpenStackCluster blue; when that has lasted for 15 seconds its address leaves the DNS records, never the last one. When the zone is back, so are its records.",
    defaultSeconds: 60,
    parameters: [zoneParameter],
    begin: (parameters, say) => {
      const zone = zoneOf(parameters);
      faults.darkenZone(zone, "stuck");
      say(`${zone} does not answer`);
      return () => faults.lightenZone(zone);
    },
  };
}

function membersDown({ faults, cloud }: FakeOpenStack): FaultDefinition {
  return {
    id: "members-down",
    title: "Machines fail",
    description: "The machines of a zone fail their health checks; the zone's balancer itself stays up.",
    watch:
      "No machine of the zone answers, MembersHealthy says which zones are meant, and the zone leaves the DNS records.",
    defaultSeconds: 60,
    parameters: [zoneParameter],
    begin: (parameters, say) => {
      const zone = zoneOf(parameters);
      const subnets = [...cloud.subnetZones].filter(([, lies]) => lies === zone).map(([subnetId]) => subnetId);
      const addresses = cloud.tables.members
        .all()
        .map(({ address }) => address)
        .filter((address) => subnets.some((subnetId) => cloud.addresses.contains(subnetId, address)));
      const down = [...new Set(addresses)];
      for (const address of down) faults.setMemberDown(address, true);
      say(down.length === 0 ? `${zone} has no machines` : `${down.join(", ")} in ${zone} no longer answer`);
      return () => {
        for (const address of down) faults.setMemberDown(address, false);
      };
    },
  };
}

function balancerInError(fake: FakeOpenStack): FaultDefinition {
  const { faults, cloud } = fake;
  return {
    id: "balancer-error",
    title: "Balancer in ERROR",
    description: "Octavia reports the balancer of a zone as broken. A broken balancer can be neither used nor changed.",
    watch:
      "Mainstay asks Octavia for a failover, and rebuilds the balancer with the same addresses where that does not help, because the other zones still let people in.",
    // Long enough for the failover and the rebuild: healed before, the balancer would simply be well again.
    defaultSeconds: 300,
    parameters: [zoneParameter],
    begin: (parameters, say) => {
      const zone = zoneOf(parameters);
      const broken = balancersIn(fake, zone);
      for (const { id } of broken) faults.setStatus("loadbalancers", id, { provisioning: "ERROR", operating: "ERROR" });
      say(named(broken, zone, "is in ERROR"));
      return () => {
        for (const { id } of broken)
          if (cloud.tables.loadbalancers.get(id)?.provisioningStatus === "ERROR")
            faults.setStatus("loadbalancers", id, { provisioning: "ACTIVE", operating: "ONLINE" });
      };
    },
  };
}

function balancerDeleted(fake: FakeOpenStack): FaultDefinition {
  return {
    id: "balancer-deleted",
    title: "Balancer deleted by hand",
    description:
      "Somebody deletes the balancer of a zone in the cloud, with everything in it, and Octavia takes until the end of the fault to build another.",
    watch: "Mainstay makes it again: with the same address inside, and with the floating IP that was left behind.",
    defaultSeconds: 30,
    parameters: [zoneParameter],
    begin: (parameters, say) => {
      const zone = zoneOf(parameters);
      const lost = balancersIn(fake, zone);
      const endSlowness = buildSlowly(fake, zone);
      for (const { id } of lost) fake.faults.deleteBalancer(id);
      say(named(lost, zone, "was deleted"));
      return endSlowness;
    },
  };
}

/** New balancers of the zone stay PENDING_CREATE until the answer is called. */
function buildSlowly(fake: FakeOpenStack, zone: string): () => void {
  const building = new Set<BalancerRecord["id"]>();
  const stopListening = fake.onChange(({ kind, before, after }) => {
    if (kind !== "loadbalancers" || before !== undefined || after === undefined) return;
    const made = balancersIn(fake, zone).find(({ id }) => id === after.id);
    if (made === undefined) return;
    building.add(made.id);
    fake.faults.darkenBalancer(made.id, "stuck");
  });
  return () => {
    stopListening();
    for (const id of building) fake.faults.lightenBalancer(id);
  };
}

function cloudSlow(fake: FakeOpenStack): FaultDefinition {
  return {
    id: "cloud-slow",
    title: "Slow cloud",
    description: "Every call to OpenStack takes longer.",
    watch: "Rounds of the cluster take their time; everything else goes on as ever.",
    defaultSeconds: 60,
    parameters: [{ name: "delay", title: "delay", unit: "s", default: 2, min: 0.1, max: 20 }],
    begin: ({ delay = 2 }, say) => {
      say(`each call takes ${delay} s longer`);
      return fake.addCallPlan(() => ({ delayMs: delay * 1_000 }));
    },
  };
}

function cloudRateLimits(fake: FakeOpenStack, random: Random): FaultDefinition {
  return {
    id: "cloud-rate-limits",
    title: "Cloud limits the rate",
    description: "OpenStack turns calls away: too many requests, come back later.",
    watch:
      "What could not be seen is unknown, and unknown changes nothing: balancers and DNS records stay as they are.",
    defaultSeconds: 60,
    parameters: [{ name: "percent", title: "turned away", unit: "%", default: 60, min: 1, max: 100 }],
    begin: ({ percent = 60 }, say) => {
      const turnAway = { status: 429, message: "Too many requests.", retryAfterMs: 2_000 };
      return fake.addCallPlan(
        counted(say, "turned away", () => (random.next() * 100 < percent ? { turnAway } : undefined)),
      );
    },
  };
}

function cloudAway(fake: FakeOpenStack): FaultDefinition {
  return {
    id: "cloud-away",
    title: "Cloud away",
    description: "Nobody reaches the cloud's API. Balancers and machines go on serving.",
    watch: "Ready is Unknown, and says why. Nothing is changed by guessing; the DNS records stay.",
    defaultSeconds: 45,
    begin: (_parameters, say) => fake.addCallPlan(counted(say, "found no cloud", () => ({ turnAway: "unreachable" }))),
  };
}

function counted(say: (words: string) => void, what: string, callPlan: () => CloudCallPlan | undefined) {
  let count = 0;
  return (): CloudCallPlan | undefined => {
    const found = callPlan();
    if (found === undefined) return undefined;
    count += 1;
    say(`${count} calls ${what}`);
    return found;
  };
}

function zoneOf({ zone = 2 }: Readonly<Record<string, number>>): string {
  return `az${Math.round(zone)}`;
}

function balancersIn({ cloud }: FakeOpenStack, zone: string): readonly BalancerRecord[] {
  return cloud.tables.loadbalancers
    .all()
    .filter(({ availabilityZone, vipSubnetId }) => (availabilityZone ?? cloud.subnetZones.get(vipSubnetId)) === zone);
}

function named(balancers: readonly BalancerRecord[], zone: string, what: string): string {
  return balancers.length === 0
    ? `there is no balancer in ${zone}`
    : balancers.map(({ name }) => `${name} ${what}`).join(", ");
}
