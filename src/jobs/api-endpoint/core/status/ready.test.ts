// Every row of the table in ready.ts, as a world; the table of docs/concepts/api-endpoint.md has the same rows.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  machine,
  one,
  placesOf,
  subnetOf,
  tcpPorts,
  withMode,
  zoneBalancerName,
  zonesIntent,
} from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { unseen } from "../../../../../test/api-endpoint/model/observe-model.ts";
import { known } from "../../../../core/known.ts";
import type { Subnet } from "../../../../core/openstack/neutron-objects.ts";
import type { Plan } from "../../../../core/plan.ts";
import type { Reason, Word } from "../../../../core/reasons.ts";
import type { EndpointAction } from "../model/action.ts";
import type { Found } from "../model/observed.ts";

const az = ["az1", "az2", "az3"];
const types = ["Ready", "LoadBalancersReady", "APIEndpointReady", "MembersHealthy", "NetworkReady"];

function built(...machines: readonly ReturnType<typeof machine>[]): CloudModel {
  const world = new CloudModel(zonesIntent(az));
  world.join(...machines);
  world.converge();
  world.report();
  return world;
}

const serving = () => built(...az.map((zone) => machine(zone, 1)));

function after(change: (world: CloudModel) => void, world = serving()): CloudModel {
  change(world);
  world.report();
  return world;
}

const situations: Readonly<Record<string, () => CloudModel>> = {
  "everything is as asked": serving,
  "first creation, balancers are being made": () => {
    const world = new CloudModel(zonesIntent(az));
    world.round();
    world.round();
    return after(() => {}, world);
  },
  "complete, and no machine is there yet": () => built(),
  "a zone is dark, others serve": () =>
    after((world) => {
      world.up.delete("10.6.3.1");
      world.settle();
    }),
  "a balancer is in ERROR, others serve": () =>
    after((world) => {
      world.row(zoneBalancerName("az3")).lb.provisioningStatus = "ERROR";
    }),
  "all are in ERROR, and members answer": () =>
    after((world) => {
      for (const zone of az) world.row(zoneBalancerName(zone)).lb.provisioningStatus = "ERROR";
    }),
  "a balancer is made again, others serve": () =>
    after((world) => {
      world.rows.splice(world.rows.indexOf(world.row(zoneBalancerName("az3"))), 1);
    }),
  "a balancer is switched off by hand": () =>
    after((world) => {
      world.row(zoneBalancerName("az3")).lb.adminStateUp = false;
    }),
  "a balancer says that it is dead, others serve": () =>
    after((world) => {
      world.row(zoneBalancerName("az3")).lb.operatingStatus = "ERROR";
    }),
  "a balancer cannot be read, others serve": () =>
    after((world) => {
      world.row(zoneBalancerName("az3")).hidden = true;
    }),
  "a balancer cannot be read and does not answer": () =>
    after((world) => {
      const row = world.row(zoneBalancerName("az3"));
      row.hidden = true;
      world.probes = new Map(world.rows.map(({ lb }) => [lb.id, { failuresInARow: lb.id === row.lb.id ? 2 : 0 }]));
    }),
  "a port is being added": () =>
    after((world) => {
      world.intent = { ...world.intent, additionalPorts: tcpPorts(8132) };
    }),
  "an extra zone is mistyped": () =>
    after((world) => {
      const mapping = { zone: "az4", subnet: { id: "sub-az44" } };
      world.intent = withMode(world.intent, {
        mode: "zones",
        zones: [...az.map((zone) => ({ zone, subnet: { id: `sub-${zone}` } })), mapping],
      });
      const none: Found<Subnet> = { found: "none", message: "there is no subnet sub-az44" };
      const zoneSubnets = new Map<string, Found<Subnet>>([
        ...az.map((zone) => [zone, one(subnetOf(zone))] as const),
        ["az4", none],
      ]);
      world.places = known(placesOf(az, { zoneSubnets }));
    }),
  "the object is refused as a whole": () =>
    after((world) => {
      world.problems = [{ where: "spec.tags", message: "it is wrong", hint: "Correct it." }];
    }),
  "no API server answers in any zone": () =>
    after((world) => {
      world.up.clear();
      world.settle();
    }),
  "Neutron does not answer": () =>
    after((world) => {
      world.neutronAway = true;
      world.places = unseen("networks: 503");
    }),
  "Octavia does not answer": () =>
    after((world) => {
      world.octaviaAway = true;
    }),
  "the credentials are refused": () =>
    after((world) => {
      world.unreachable = { known: false, reason: "OpenStackNotAuthenticated", message: "token: wrong password" };
    }),
  "the credentials lead to another project": () =>
    after((world) => {
      world.location = "q/RegionOne";
    }),
  paused: () =>
    after((world) => {
      world.object.paused = true;
    }),
  "balancers are switched off, the last is kept": () =>
    after((world) => {
      world.intent = withMode(world.intent, { mode: "none" });
      world.converge();
    }),
  "the deletion waits for machines": () =>
    after((world) => {
      world.intent = { ...world.intent, deleting: true };
    }),
};

type Row = readonly [situation: string, ...truths: string[]];

/** Rows of a table whose cells are divided by this, without its head. */
function rowsIn(path: string, line: RegExp, divider: RegExp): readonly Row[] {
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  return [...text.matchAll(line)].map(([, row = ""]) => {
    const [situation = "", ...truths] = row.trim().split(divider);
    return [situation, ...truths.map((truth) => truth.replace("?", "Unknown"))];
  });
}

const inCode = rowsIn("./ready.ts", /^\/\/ {3}(\S.*(?:True|False|\?))$/gm, / {2,}/);
const inDocs = rowsIn(
  "../../../../../docs/concepts/api-endpoint.md",
  /^\| (\S.*\|(?: (?:True|False|\?) \|){5})$/gm,
  / \| | \|/,
);

function truthsOf(world: CloudModel): readonly string[] {
  const conditions = world.status?.conditions ?? [];
  return types.map((wanted) => conditions.find(({ type }) => type === wanted)?.status ?? "absent");
}

describe("the table of situations", () => {
  test("has a row for each situation, in code and in the concept page alike", () => {
    expect(inCode.map(([situation]) => situation)).toEqual(Object.keys(situations));
    expect(inDocs.map((row) => row.filter((cell) => cell !== ""))).toEqual(inCode);
  });

  test.each(inCode)("%s", (situation, ...truths) => {
    const world = situations[situation]?.() ?? serving();
    expect(truthsOf(world)).toEqual(truths);
  });
});

function told(world: CloudModel, wanted = "Ready") {
  const { reason, message } = world.status?.conditions.find(({ type }) => type === wanted) ?? {};
  return { reason, message };
}

describe("Ready names the cause", () => {
  test.each([
    [
      "a zone is dark, others serve",
      "MembersUnhealthy",
      /^people can reach the API, .*: az3: 0 of 1 members are healthy$/,
    ],
    ["a balancer is in ERROR, others serve", "LoadBalancerInError", /^people can reach the API, .*: az3: /],
    ["all are in ERROR, and members answer", "LoadBalancerInError", /may still serve/],
    [
      "a balancer is switched off by hand",
      "LoadBalancerDown",
      /: az3: .* is switched off .*loadbalancer set --enable lb-/,
    ],
    [
      "a balancer cannot be read, others serve",
      "OpenStackServerError",
      /^people can reach the API, and not all of it can be seen: az3: Octavia does not answer: status tree: 503$/,
    ],
    [
      "a balancer cannot be read and does not answer",
      "LoadBalancerDown",
      /^people can reach the API, .*: az3: .*nobody answers at its address/,
    ],
    ["a port is being added", "ListenerMissing", /^people can reach the API, .*kubeapi: port 8132 is not complete yet/],
    ["an extra zone is mistyped", "SubnetUnresolved", /^people can reach the API, .*az4: there is no subnet sub-az44/],
    ["the object is refused as a whole", "EndpointSpecInvalid", /^spec.tags: it is wrong/],
    ["no API server answers in any zone", "MembersUnhealthy", /^no API server answers .*: az1: 0 of 1 members/],
    [
      "Neutron does not answer",
      "OpenStackServerError",
      /^Neutron does not answer: networks: 503; when last seen, people could/,
    ],
    [
      "Octavia does not answer",
      "OpenStackServerError",
      /^Octavia does not answer: load balancers: 503; when last seen/,
    ],
    [
      "the credentials are refused",
      "OpenStackNotAuthenticated",
      /^token: wrong password; when last seen, people could/,
    ],
    ["the credentials lead to another project", "ProjectChanged", /its credentials lead to project q/],
    [
      "paused",
      "EndpointPaused",
      /^nothing is asked of the cloud while paused; when last seen, people could reach the API$/,
    ],
    [
      "the deletion waits for machines",
      "MachinesRemain",
      /^the object is being deleted: .*cp-az1-1, cp-az2-1, cp-az3-1/,
    ],
  ])("%s: %s", (situation, reason, words) => {
    const said = told(situations[situation]?.() ?? serving());
    expect(said).toEqual({ reason, message: expect.stringMatching(words) });
  });

  test("of a cluster that was never complete: what holds up its balancers, and not that they are too few", () => {
    const world = new CloudModel(zonesIntent(az));
    world.places = known(placesOf(az, { network: { found: "none", message: "there is no network net" } }));
    world.round();
    expect(told(world)).toMatchObject({ reason: "NetworkUnresolved" });
  });

  test("also when a second thing is wrong that stops nothing", () => {
    const world = situations["an extra zone is mistyped"]?.() ?? serving();
    world.up.clear();
    world.settle();
    world.report();
    expect(told(world)).toMatchObject({ reason: "MembersUnhealthy" });
  });
});

test.each(["a zone is dark, others serve", "a balancer is in ERROR, others serve"])(
  "the network is as expected whatever else is refused: %s",
  (situation) => {
    const world = situations[situation]?.() ?? serving();
    expect(told(world, "NetworkReady")).toEqual({ reason: "AsExpected", message: "" });
  },
);

test("a balancer that is not wanted any more and must stay is told, and people reach the API through it", () => {
  const world = serving();
  for (const address of ["10.6.1.1", "10.6.2.1"]) world.up.delete(address);
  world.settle();
  world.intent = zonesIntent(["az1", "az2"]);
  world.report();
  const words = expect.stringContaining(`${zoneBalancerName("az3")}: it is no longer wanted, and stays`);
  expect(told(world, "LoadBalancersReady")).toEqual({ reason: "LastHealthyEndpoint", message: words });
  expect(truthsOf(world)[0]).toBe("True");
});

test("a member of somebody else, or of a machine that is gone, is nobody's API server", () => {
  const world = serving();
  world.machines = world.machines.map((one) => ({ ...one, name: `other-${one.name}` }));
  world.report();
  expect(truthsOf(world)[0]).toBe("False");
});

test("a balancer that somebody disabled, or whose listener is, lets nobody in", () => {
  const world = serving();
  for (const zone of az) world.row(zoneBalancerName(zone)).lb.adminStateUp = false;
  world.report();
  expect(truthsOf(world)[0]).toBe("False");
});

test("where nobody answers it is False, whether the addresses of balancers can be seen or not", () => {
  const world = serving();
  world.up.clear();
  world.settle();
  world.neutronAway = true;
  world.recorded = {
    ...world.recorded,
    zones: world.recorded.zones.map((entry) => ({ ...entry, address: undefined })),
  };
  world.report();
  expect([told(world, "APIEndpointReady").reason, truthsOf(world)[0]]).toEqual(["OpenStackServerError", "False"]);
});

describe("why a deletion lasts is told in this order", () => {
  const wait = (reason: Word) => ({ reason, message: `it waits: ${reason}`, recheckAfterMs: 1_000 });
  const refusal = (reason: Reason) => ({ reason, message: `refused: ${reason}` });
  const pending = wait("LoadBalancerPending");
  const notice = refusal("LegacyLoadBalancerPresent");

  test.each<readonly [string, Partial<Plan<EndpointAction>>]>([
    ["StepRepeated", { waits: [pending, wait("StepRepeated")], refusals: [refusal("FloatingIpInUse")] }],
    ["FloatingIpInUse", { waits: [pending], refusals: [notice, refusal("FloatingIpInUse")] }],
    ["LoadBalancerPending", { waits: [pending], refusals: [notice] }],
    ["EndpointDeleted", { refusals: [notice] }],
  ])("%s", (reason, parts) => {
    const world = serving();
    world.machines = [];
    world.intent = { ...world.intent, deleting: true };
    world.report({ actions: [], waits: [], refusals: [], ...parts });
    expect(told(world)).toEqual({ reason, message: expect.stringMatching(/^the object is being deleted: /) });
  });
});

test("members that nobody watches leave it Unknown whether anybody answers", () => {
  const world = serving();
  for (const zone of az) world.row(zoneBalancerName(zone)).monitors.length = 0;
  world.report();
  expect(truthsOf(world)[0]).toBe("Unknown");
});
