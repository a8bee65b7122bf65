// What the simulation found in the gateway job, each as the smallest facts that show it.

import { expect, test } from "vitest";
import { addressesAnnotation } from "../../src/jobs/gateway/apis/annotations.ts";
import type { Service } from "../../src/jobs/gateway/apis/kube-objects.ts";
import { PoolMemories } from "../../src/jobs/gateway/controller/pool-memory.ts";
import { reportPool } from "../../src/jobs/gateway/controller/report.ts";
import type { PoolObserved } from "../../src/jobs/gateway/core/model/observed.ts";
import { planPool, poolFinalizer } from "../../src/jobs/gateway/core/plan.ts";
import { poolMark } from "../../src/jobs/gateway/core/situation/marks.ts";
import { sampleDocument, sampleForwarding } from "../../src/jobs/gateway/sim/sample-document.ts";
import { modelWorld, observeModel } from "../gateway/world/model-world.ts";

function serviceNamed(name: string, annotations: Readonly<Record<string, string>> = {}): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: "default", uid: `uid-of-${name}`, annotations },
    spec: { type: "LoadBalancer", ports: [{ name: "http", port: 80, protocol: "TCP" }] },
  };
}

function held(observed: PoolObserved): PoolObserved {
  const { pool } = observed;
  return { ...observed, pool: { ...pool, metadata: { ...pool.metadata, finalizers: [poolFinalizer] } } };
}

function observedWith(services: readonly Service[], isCloud: boolean): PoolObserved {
  const world = modelWorld({ isCloud });
  for (const service of services) world.services.set(service.metadata.name, service);
  return held(observeModel(world).observed);
}

const bad = { [addressesAnnotation]: "198.51.100.1" };

function reportOf(observed: PoolObserved, memories = new PoolMemories()) {
  const { actions, waits, refusals } = planPool(observed);
  const plan = { actions, waits, refusals };
  const key = { name: observed.pool.metadata.name };
  return reportPool(memories, planPool)({ key, observed, plan, outcomes: [], nowMs: 0 });
}

test("a report that is made twice from the same facts says the same, its Events included", () => {
  const observed = observedWith([serviceNamed("bad", bad)], false);
  const memories = new PoolMemories();
  const first = reportOf(observed, memories);
  expect(first.events?.length).toBeGreaterThan(0);
  expect(reportOf(observed, memories)).toEqual(first);
});

test("what was said about a Service is not said again in the next round", () => {
  const observed = observedWith([serviceNamed("bad", bad)], false);
  const memories = new PoolMemories();
  reportOf(observed, memories);
  const { told } = memories.of(observed.pool.metadata.name);
  expect(reportOf({ ...observed, told }, memories).events).toEqual([]);
});

test("the order in which Services are listed changes no report", () => {
  const services = [serviceNamed("bad", bad), serviceNamed("worse", bad)];
  const [one, other] = [services, services.toReversed()].map((list) => observedWith(list, false));
  if (one === undefined || other === undefined) throw new Error("nothing was observed");
  expect(reportOf(one).statuses.map(({ ref }) => ref.name)).toEqual(
    reportOf(other).statuses.map(({ ref }) => ref.name),
  );
});

test("the order in which Neutron lists ports and floating IPs changes no plan", () => {
  const world = modelWorld({ isCloud: true });
  for (const name of ["a", "b"]) world.services.set(name, serviceNamed(name));
  const { observed } = observeModel(world);
  if (observed.neutron?.known !== true) throw new Error("Neutron is known");
  const { value } = observed.neutron;
  const [template] = [...world.ports.values()];
  const [loose] = [...world.floatingIps.values()];
  if (template === undefined || loose === undefined) throw new Error("the model has one of others");
  const subnetId = observed.pool.spec?.addresses?.neutron?.subnets?.ipv4?.id ?? "";
  const mark = poolMark("c1", "public");
  const port = (id: string, address: string) => ({
    ...template,
    id,
    description: mark,
    fixedIps: [{ subnetId, address }],
  });
  const ports = [port("port-1", "10.0.1.11"), port("port-2", "10.0.1.12")];
  const floatingIps = ["fip-1", "fip-2"].map((id, place) => ({
    ...loose,
    id,
    address: `203.0.113.${place + 1}`,
    description: mark,
  }));
  const planFor = (isReversed: boolean) => {
    const seen = isReversed
      ? { ...value, ports: ports.toReversed(), floatingIps: floatingIps.toReversed() }
      : { ...value, ports, floatingIps };
    const { actions, waits, refusals } = planPool(held({ ...observed, neutron: { known: true, value: seen } }));
    return { actions, waits, refusals };
  };
  expect(planFor(false).actions.length).toBeGreaterThan(0);
  expect(planFor(true)).toEqual(planFor(false));
});

test("a Service whose record somebody stripped does not keep an address that gateways carry for it when its pool goes", () => {
  const world = modelWorld({ isCloud: false });
  const service = serviceNamed("a");
  const metadata = { ...service.metadata, finalizers: [poolFinalizer] };
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.10" }, { ip: "198.51.100.77" }] } };
  world.services.set("a", { ...service, metadata, status });
  const forwardings = [sampleForwarding({ address: "192.0.2.10", service: "default/a" })];
  for (const gateway of world.gateways.values()) gateway.carried = sampleDocument({ forwardings });
  const { pool } = world;
  const leaving = { ...pool.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" };
  world.pool = { ...pool, metadata: leaving };
  const { actions } = planPool(held(observeModel(world).observed));
  const withdrawal = actions.find(({ kind }) => kind === "withdraw-ingress");
  expect(withdrawal).toMatchObject({ ingress: [{ ip: "198.51.100.77" }] });
});
