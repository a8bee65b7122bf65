// Random beginnings of a cluster for the laws of the api-endpoint planner, and what makes a world whole again.

import fc from "fast-check";
import { known } from "../../../src/core/known.ts";
import { zonesOf } from "../../../src/jobs/api-endpoint/core/model/intent.ts";
import { worldsFrom } from "../../support/plan-laws/planner-under-test.ts";
import { CloudModel } from "./cloud-model.ts";
import {
  capoDescription,
  dnsEndpoint,
  intent,
  legacyName,
  location,
  machine,
  noFloatingIpTags,
  ovnRefusals,
  placesOf,
  refusing,
  single,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "./endpoint-builders.ts";
import { allZones } from "./endpoint-events.ts";

interface Beginning {
  /** As CAPO left it; with zones otherwise. */
  readonly legacy: boolean;
  /** It begins when everything is done, and not before. */
  readonly settled: boolean;
  readonly provider: string;
  /** Whether floating IPs can be tagged. */
  readonly tags: boolean;
  readonly publishDns: boolean;
}

const choices = {
  legacy: fc.boolean(),
  settled: fc.boolean(),
  provider: fc.constantFrom("amphora", "ovn"),
  tags: fc.boolean(),
  publishDns: fc.boolean(),
};

export const endpointWorlds = worldsFrom(fc.record(choices), begin);
export const settledWorlds = worldsFrom(fc.record({ ...choices, settled: fc.constant(true) }), begin);

/** The address of a floating IP that is somebody's. */
export const foreignAddress = "203.0.113.250";

function begin({ legacy, settled, provider, tags, publishDns }: Beginning): CloudModel {
  const unclaimed = { location: undefined, publishDns };
  const world = new CloudModel(
    legacy ? intent({ endpoint: dnsEndpoint, ...unclaimed }) : zonesIntent(allZones, unclaimed),
  );
  world.places = known(placesOf(allZones));
  world.defaultProvider = provider;
  // Without tags nothing says whose CAPO's was once its balancer, kept as a fall-back, is gone.
  const untagged = legacy || tags ? [] : [noFloatingIpTags];
  world.capabilities = known(refusing(...untagged, ...(provider === "ovn" ? ovnRefusals : [])));
  world.join(machine("az1", 1), machine("az2", 1), machine("az3", 1));
  if (legacy) addLegacyBalancer(world);
  addStrangers(world);
  if (settled) world.converge();
  return world;
}

/** CAPO's, which only status knows. */
function addLegacyBalancer(world: CloudModel): void {
  const vip = "10.0.2.9";
  const row = world.addBalancer(
    { name: legacyName, description: capoDescription, vipSubnetId: "sub-az2", vipAddress: vip },
    6443,
  );
  world.addMember(row, `${legacyName}-6443-cp-az1-1`, "10.6.1.1");
  const { address } = world.addFloatingIp({ portId: row.lb.vipPortId, description: capoDescription });
  const place = { networkId: "net", subnetId: "sub-az2" };
  const single = { id: row.lb.id, name: legacyName, address, internalAddress: vip, ...place };
  world.recorded = { ...world.recorded, single };
  world.object.provisioned = true;
}

/** A balancer of the name that ours will have, and a floating IP. */
function addStrangers(world: CloudModel): void {
  const row = world.addBalancer(
    {
      name: zoneBalancerName("az1"),
      description: "somebody's",
      vipAddress: "10.9.9.9",
      tags: ["mainstay-owner=another"],
    },
    6443,
  );
  row.foreign = true;
  world.addFloatingIp({ address: foreignAddress, description: "somebody's" });
}

/** Everything that is broken is whole again; machines that were on their way out are gone. */
export function heal(world: CloudModel): void {
  world.machines = world.machines.filter(({ deleting }) => !deleting);
  const home = zonesOf(world.intent)[0]?.zone ?? "az1";
  // Without a machine in a mapped zone the last way in is rightly kept elsewhere.
  if (!world.machines.some(({ zone }) => zone === home)) world.join(machine(home, 3));
  for (const { addresses } of world.machines) for (const address of addresses) world.up.add(address);
  if (world.intent.mode === "none") world.intent = withMode(world.intent, single);
  showEverything(world);
  mendBalancers(world);
}

/** Nothing is hidden from the planner, and it may act. */
export function showEverything(world: CloudModel): void {
  world.neutronAway = false;
  world.problems = [];
  world.location = location;
  for (const row of world.rows) row.hidden = false;
}

export function mendBalancers({ rows }: CloudModel): void {
  for (const { lb } of rows) if (lb.provisioningStatus === "ERROR") lb.provisioningStatus = "ACTIVE";
}
