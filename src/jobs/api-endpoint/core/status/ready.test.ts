// Every row of the table in ready.ts, as a world; the table of docs/concepts/api-endpoint.md has the same rows.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import {
  intent,
  legacyName,
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
import { emptyPlan, type Plan } from "../../../../core/plan.ts";
import type { Reason, Word } from "../../../../core/reasons.ts";
import { sentence } from "../../../../core/views/explained.ts";
import { objectSummary } from "../../../../core/views/object-summary.ts";
import { sayingWhoActs } from "../../../../core/who-acts.ts";
import { apiEndpointJob } from "../../job.ts";
import type { EndpointAction } from "../model/action.ts";
import { dnsLane } from "../model/lanes.ts";
import type { Found } from "../model/observed.ts";
import { endpointStatus } from "../status.ts";

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

/** By consent, also of the last. */
function switchedOff(): CloudModel {
  return after((world) => {
    const consents = { ...world.intent.consents, removeLegacy: true };
    world.intent = { ...withMode(world.intent, { mode: "none" }), consents };
    for (let round = 0; round < 100 && world.rows.length > 0; round += 1) world.round();
    world.converge();
    expect(world.rows).toEqual([]);
  });
}

/** We publish the records, and they do not become what they should be. */
function inTrouble(change: (world: CloudModel) => void, why: "failed" | "repeated"): CloudModel {
  const world = new CloudModel(zonesIntent(az, { publishDns: true }));
  world.join(...az.map((zone) => machine(zone, 1)));
  world.converge();
  world.report();
  change(world);
  const plan = world.plan();
  expect(plan.actions.map(({ kind }) => kind)).toEqual(["apply-dns-endpoint"]);
  const wait = { reason: "StepRepeated", message: "it does not last", recheckAfterMs: 1_000, lane: dnsLane } as const;
  if (why === "repeated") world.report({ ...plan, actions: [], waits: [...plan.waits, wait] });
  else world.report(plan, [{ lane: dnsLane, reason: "PermissionDenied", message: "forbidden" }]);
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
  "all are in ERROR, and machines answer": () =>
    after((world) => {
      for (const zone of az) world.row(zoneBalancerName(zone)).lb.provisioningStatus = "ERROR";
    }),
  "API listeners or pools of all are in ERROR": () =>
    after((world) => {
      const [az1, ...others] = az.map((zone) => world.row(zoneBalancerName(zone)));
      for (const listener of az1?.listeners ?? []) listener.provisioningStatus = "ERROR";
      for (const pool of others.flatMap(({ pools }) => pools)) pool.status = "ERROR";
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
  "DNS records cannot be written, one leads on": () =>
    inTrouble((world) => {
      const [first = ""] = world.object.dnsEndpoint?.addresses ?? [];
      world.object.dnsEndpoint = { host: "api.demo.example.com", addresses: [first, "203.0.113.250"] };
    }, "failed"),
  "DNS records are kept at an address of nobody": () =>
    inTrouble((world) => {
      world.object.dnsEndpoint = { host: "api.demo.example.com", addresses: ["203.0.113.250"] };
    }, "repeated"),
  "DNS records that we publish may not be read": () =>
    after((world) => {
      world.intent = { ...world.intent, publishDns: true };
      world.object.unreadDns = { known: false, reason: "PermissionDenied", message: "they may not be listed" };
    }),
  "the endpoint's address is on no balancer": () => {
    const world = new CloudModel(intent());
    world.join(machine("az1", 1));
    world.converge();
    return after(() => {
      delete world.floatingIps[0]?.portId;
      world.addFloatingIp({ portId: world.row(legacyName).lb.vipPortId, description: "an operator's" });
    }, world);
  },
  "the object is refused as a whole": () =>
    after((world) => {
      world.problems = [{ where: "spec.tags", message: "it is wrong", hint: "Correct it." }];
    }),
  "no machine answers in any zone": () =>
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
  "balancers are switched off, none is left": switchedOff,
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
      /^the API can be reached through az1 and az2, .*: az3: 0 of 1 machine answers \(cp-az3-1 does not\)\. You have to act: mainstay runbook MembersUnhealthy says how$/,
    ],
    [
      "a balancer is in ERROR, others serve",
      "LoadBalancerInError",
      /^the API can be reached through az1 and az2, .*: az3: .*\. Mainstay acts by itself \(mainstay runbook LoadBalancerInError\)$/,
    ],
    ["all are in ERROR, and machines answer", "LoadBalancerInError", /may still serve/],
    [
      "API listeners or pools of all are in ERROR",
      "LoadBalancerInError",
      /nobody knows who answers: port 6443 of az1 \(listener .*: in ERROR\), port 6443 of az2 \(pool .*: in ERROR\)/,
    ],
    [
      "a balancer is switched off by hand",
      "LoadBalancerDown",
      /: az3: .* is switched off .*loadbalancer set --enable lb-/,
    ],
    [
      "a balancer cannot be read, others serve",
      "OpenStackServerError",
      /^the API can be reached through az1 and az2, but not all of it can be seen: az3: the cloud does not answer \(Octavia\): status tree: 503\. Mainstay waits/,
    ],
    [
      "a balancer cannot be read and does not answer",
      "LoadBalancerDown",
      /^the API can be reached through az1 and az2, .*: az3: .*nobody answers at its address/,
    ],
    [
      "a port is being added",
      "ListenerMissing",
      /^the API can be reached through az1, az2 and az3, .*kubeapi: port 8132 is not complete yet.*\. Mainstay acts by itself$/,
    ],
    [
      "an extra zone is mistyped",
      "SubnetUnresolved",
      /^the API can be reached through az1, az2 and az3, .*az4: spec\..*\[3\]\.subnet: there is no subnet sub-az44/,
    ],
    [
      "DNS records cannot be written, one leads on",
      "PermissionDenied",
      /^the API can be reached through az1, az2 and az3, .*: forbidden\. You have to act: mainstay runbook PermissionDenied says how$/,
    ],
    [
      "DNS records are kept at an address of nobody",
      "StepRepeated",
      /^the DNS records lead to no machine: they name 203\.0\.113\.250; it does not last\. You have to act: mainstay runbook StepRepeated says how$/,
    ],
    ["the object is refused as a whole", "EndpointSpecInvalid", /^spec.tags: it is wrong/],
    ["no machine answers in any zone", "MembersUnhealthy", /^no machine answers .*: az1: 0 of 1 machine/],
    [
      "Neutron does not answer",
      "OpenStackServerError",
      /^the cloud does not answer \(Neutron\): networks: 503; when last seen, the API could/,
    ],
    [
      "Octavia does not answer",
      "OpenStackServerError",
      /^the cloud does not answer \(Octavia\): load balancers: 503; when last seen/,
    ],
    [
      "the credentials are refused",
      "OpenStackNotAuthenticated",
      /^token: wrong password; when last seen, the API could/,
    ],
    ["the credentials lead to another project", "ProjectChanged", /its credentials lead to project q/],
    [
      "paused",
      "EndpointPaused",
      /^nothing is asked of the cloud while paused; when last seen, the API could be reached\. You have to act: /,
    ],
    [
      "balancers are switched off, none is left",
      "LoadBalancerUnwanted",
      /^load balancers are switched off, .* api\.demo\.example\.com .*; when last seen, the API could be reached\. You have to act if this is not intended$/,
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

const dark = (address: string) => (world: CloudModel) => {
  world.up.delete(address);
  world.settle();
};

describe("the headline is the root of the chain", () => {
  test("a dark zone comes before a zone that was mistyped and never served", () => {
    const world = after(dark("10.6.2.1"), situations["an extra zone is mistyped"]?.());
    const message = expect.stringMatching(
      /^the API can be reached through az1 and az3, .*: az2: 0 of 1 machine answers \(cp-az2-1 does not\); az4: /,
    );
    expect(told(world)).toEqual({ reason: "MembersUnhealthy", message });
  });

  test("members that do not answer are named by every balancer that has them, where members cross zones", () => {
    const world = new CloudModel(zonesIntent(az, { crossZone: true }));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    const message = expect.stringMatching(
      /^the API can be reached through az1, az2 and az3, .*: az1: 2 of 3 machines answer \(cp-az2-1 does not\); az2: 2 of 3/,
    );
    expect(told(after(dark("10.6.2.1"), world))).toEqual({ reason: "MembersUnhealthy", message });
  });

  test("a balancer that is being made again is not said to lack members", () => {
    const world = situations["a balancer is made again, others serve"]?.() ?? serving();
    const reason = "LoadBalancerLost";
    expect(told(world, "LoadBalancersReady")).toMatchObject({ reason });
    expect(told(world)).toMatchObject({ reason });
    const message = "az3: its machines wait for their load balancer, which is made again";
    expect(told(world, "MembersHealthy")).toEqual({ reason, message });
  });

  test("a balancer that is being made again: what happened, since when, how long it takes, and when to act", () => {
    const world = situations["a balancer is made again, others serve"]?.() ?? serving();
    const since = new Date(world.nowMs).toISOString().slice(0, 13);
    const { message = "" } = told(world);
    expect(message).toMatch(
      /^the API can be reached through az1 and az2, but not everything works: az3: its load balancer /,
    );
    expect(message).toMatch(
      new RegExp(` was gone from Octavia at ${since}\\S+Z\\. Mainstay makes it again with the same address `),
    );
    expect(message).toMatch(
      / usually takes one to five minutes; act if it does not serve by \S+Z\. Mainstay acts by itself \(mainstay runbook LoadBalancerLost\)$/,
    );
  });

  test("a balancer in ERROR: the condition says the step that the plan has", () => {
    const world = situations["a balancer is in ERROR, others serve"]?.() ?? serving();
    const steps = world.plan().actions.map(({ kind }) => kind);
    expect(steps).toEqual(["delete-load-balancer"]);
    expect(told(world).message).toMatch(
      /az3: \S+ is in ERROR; it is being deleted, and is created again with the same/,
    );
  });

  test("a dark zone comes before a balancer that is being made", () => {
    const world = after(dark("10.6.2.1"), situations["a balancer is made again, others serve"]?.());
    expect(told(world)).toMatchObject({ reason: "MembersUnhealthy" });
  });

  const troubles = Object.keys(situations).filter(
    (situation) => told(situations[situation]?.() ?? serving()).reason !== "AsExpected",
  );
  test.each(troubles)("and status, explain and dashboard say the same as Ready: %s", (situation) => {
    const world = situations[situation]?.() ?? serving();
    const { reason = "", message = "" } = told(world);
    const conditions = (world.status?.conditions ?? []).map((one) => ({ ...one, lastTransitionTime: "" }));
    const object = { apiVersion: "v1", kind: "OpenStackCluster", metadata: { name: "blue" }, status: { conditions } };
    const [shown] = apiEndpointJob.controllers["openstack-cluster"].shows;
    const summary = objectSummary({ ...shown, parts: undefined, object, controllers: [], plans: [] });
    const paused = conditions.find((one) => one.type === "Paused" && one.status === "True");
    const words = paused === undefined ? message : sayingWhoActs(`Paused: ${paused.message}`, reason);
    expect(summary).toMatchObject({ reason, sentence: sentence(words) });
  });

  test.each(troubles)("and ends with who acts next: %s", (situation) => {
    const { message = "" } = told(situations[situation]?.() ?? serving());
    const last = message.split(". ").at(-1);
    expect(last).toMatch(/^(Mainstay acts by itself|Mainstay waits and goes on by itself|You have to act)\b/);
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

describe("where we publish the DNS records", () => {
  const published = () => {
    const world = new CloudModel(zonesIntent(az, { publishDns: true }));
    world.join(...az.map((zone) => machine(zone, 1)));
    world.converge();
    world.report();
    return world;
  };

  test.each([
    ["somebody wrote others", { host: "api.demo.example.com", addresses: ["203.0.113.250"] }],
    ["somebody deleted them", undefined],
  ])("those that the round writes again are as asked: %s", (_, dnsEndpoint) => {
    const world = published();
    world.object = { ...world.object, dnsEndpoint };
    world.report();
    expect(truthsOf(world)).toEqual(["True", "True", "True", "True", "True"]);
  });

  test("a name that is not the endpoint's leads nobody to it", () => {
    const world = published();
    const { addresses = [] } = world.object.dnsEndpoint ?? {};
    world.object = { ...world.object, dnsEndpoint: { host: "other.example.com", addresses } };
    world.report(world.plan(), [{ lane: dnsLane, reason: "PermissionDenied", message: "forbidden" }]);
    expect(told(world)).toMatchObject({
      reason: "PermissionDenied",
      message: expect.stringContaining("there are none"),
    });
    expect(truthsOf(world)[0]).toBe("False");
  });

  test("records that lead to dead zones alone are no way in, whoever else serves", () => {
    const world = published();
    const [first = ""] = world.object.dnsEndpoint?.addresses ?? [];
    world.object = { ...world.object, dnsEndpoint: { host: "api.demo.example.com", addresses: [first] } };
    const { portId } = world.floatingIps.find(({ address }) => address === first) ?? {};
    const dead = world.rows.find(({ lb }) => lb.vipPortId === portId);
    if (dead === undefined) throw new Error("a balancer has the address");
    dead.lb.adminStateUp = false;
    world.report(world.plan(), [{ lane: dnsLane, reason: "PermissionDenied", message: "forbidden" }]);
    expect(truthsOf(world)[0]).toBe("False");
  });
});

describe("without balancers", () => {
  const own = { host: "api.example.com", port: 6443 };

  test("where there never were any, the endpoint is the user's own, and it is Ready", () => {
    const world = new CloudModel(intent({ mode: "none", endpoint: own, location: undefined }));
    world.join(machine("az1", 1));
    world.converge();
    world.report();
    expect(truthsOf(world)[0]).toBe("True");
  });

  test("it stays Unknown when the consent to remove the last has been taken back", () => {
    const world = switchedOff();
    world.intent = { ...world.intent, consents: serving().intent.consents };
    world.report();
    expect(truthsOf(world)[0]).toBe("Unknown");
  });

  test("an address that is kept for the machines leads to the one that has it", () => {
    const world = new CloudModel(intent({ mode: "none" }));
    world.converge();
    world.report();
    expect(truthsOf(world)[0]).toBe("True");
    world.join(machine("az1", 1));
    world.report();
    expect(truthsOf(world)[0]).toBe("Unknown");
    const [kept] = world.floatingIps;
    if (kept === undefined) throw new Error("an address is kept");
    world.floatingIps = [{ ...kept, portId: "port-of-a-machine" }];
    world.report();
    expect(truthsOf(world)[0]).toBe("True");
  });
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

describe("in every situation, whatever of it cannot be seen", () => {
  const unseenParts: Readonly<Record<string, (world: CloudModel) => void>> = {
    nothing: () => {},
    "floating IPs": (world) => {
      world.neutronAway = true;
    },
    "a balancer": (world) => {
      for (const row of world.rows.slice(0, 1)) row.hidden = true;
    },
    "all balancers": (world) => {
      for (const row of world.rows) row.hidden = true;
    },
    "who answers": (world) => {
      for (const row of world.rows) row.monitors.length = 0;
    },
    "floating IPs, and a balancer is in ERROR": (world) => {
      world.neutronAway = true;
      for (const row of world.rows.slice(0, 1)) row.lb.provisioningStatus = "ERROR";
    },
  };
  const all = Object.keys(situations).flatMap((situation) =>
    Object.keys(unseenParts).map((part) => [situation, part] as const),
  );

  test.each(all)("%s, without %s: each condition has a reason and words of its own", (situation, part) => {
    const world = situations[situation]?.() ?? serving();
    unseenParts[part]?.(world);
    world.report();
    const conditions = world.status?.conditions ?? [];
    expect(conditions.length).toBeGreaterThan(0);
    const unworthy = conditions.filter(
      ({ status, reason, message }) =>
        /^[;:, ]|: *;|; *;/.test(message) ||
        (reason !== "AsExpected" && (reason === "" || message === "")) ||
        (status === "Unknown" && (reason === "AsExpected" || message === "")),
    );
    expect(unworthy).toEqual([]);
  });
});

describe("while a slow cloud is asked again", () => {
  const asking = { known: false, reason: "AnswerAwaited", message: "asked for, and not answered yet" } as const;

  test.each([
    ["floating IPs", true, false],
    ["what is below the balancers", false, true],
    ["both", true, true],
  ])("nothing turns: what it said last of %s counts for people", (_what, isAddress, isTree) => {
    const world = serving();
    const observed = world.observe();
    const { floatingIps, balancers } = observed;
    if (!floatingIps.known || !balancers.known) throw new Error("a model tells everything");
    const below = balancers.value.map((seen) =>
      isTree && seen.tree.known ? { ...seen, tree: { ...asking, before: seen.tree.value } } : seen,
    );
    const asked = {
      ...observed,
      balancers: known(below),
      floatingIps: isAddress ? { ...asking, before: floatingIps.value } : floatingIps,
    };
    const shown = (now: typeof observed) =>
      endpointStatus(now, { plan: emptyPlan, failures: [] }, world.nowMs).conditions;
    expect(shown(asked)).toEqual(shown(observed));
  });
});
