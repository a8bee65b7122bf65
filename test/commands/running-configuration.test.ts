// plan and explain go by the configuration of the manager that looks after the object, say so, and fall back to the defaults aloud.

import { beforeEach, describe, expect, test } from "vitest";
import { events, leases, namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../src/apis/kube/kube-object.ts";
import { readConfiguration } from "../../src/cli/configuration/configuration.ts";
import { configurationAnnotation, publishConfiguration } from "../../src/cli/configuration/published-configuration.ts";
import { installCrds } from "../../src/cli/install-crds.ts";
import { kubeMicroTime } from "../../src/core/conditions.ts";
import { definitionsOf } from "../../src/core/job/declaration.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { leaseNameFor } from "../../src/engine/lease/lease-name.ts";
import { allJobs } from "../../src/jobs/all.ts";
import { openStackClusters } from "../../src/jobs/api-endpoint/apis/openstack-cluster/openstack-cluster.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { adminToken, createFakeKubeApi, type FakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { cliWorld } from "../support/cli-world.ts";

let api: FakeKubeApi;
let kube: Kube;
beforeEach(async () => {
  const users = new Map([
    [adminToken, { username: "admin", uid: "admin", groups: ["system:masters"] }],
    ["reader", { username: "reader", uid: "reader", groups: ["system:authenticated"] }],
  ]);
  api = createFakeKubeApi({ clock: systemClock, random: seededRandom(1), users });
  kube = kubeClient({ transport: api.transport(adminToken), clock: systemClock });
  await installCrds(kube, systemClock, definitionsOf(allJobs));
  await kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "mainstay-system" } });
  const metadata = { name: "cluster" };
  await kube.create(infrastructures, { apiVersion: "config.openshift.io/v1", kind: "Infrastructure", metadata });
});

const defaults = "Configuration: the defaults; --config names the controller manager's own.";
const running = "Configuration: that of the running manager manager-1 (lease mainstay-system/mainstay-controller).";

interface Leading {
  readonly configuration?: string;
  readonly name?: string;
  /** Empty: it gave the lease back. */
  readonly holder?: string;
  readonly renewedSecondsAgo?: number;
  /** Of the configuration; the lease itself is in epoch 7. */
  readonly epoch?: number;
}

/** A Lease as a manager of this configuration leaves it. */
async function lead(leading: Leading): Promise<void> {
  const { holder = "manager-1", renewedSecondsAgo = 1, epoch = 7, name = "mainstay-controller" } = leading;
  const { configuration } = readConfiguration({ text: leading.configuration ?? "guards: [dry-run]\n", jobs: allJobs });
  await kube.create(leases, {
    apiVersion: apiVersionOf(leases),
    kind: "Lease",
    metadata: { namespace: "mainstay-system", name, annotations: publishConfiguration(configuration)(epoch) },
    spec: {
      ...(holder === "" ? {} : { holderIdentity: holder }),
      leaseDurationSeconds: 15,
      leaseTransitions: 7,
      renewTime: kubeMicroTime(systemClock.nowMs() - renewedSecondsAgo * 1_000),
    },
  } as KubeObject);
}

const ask = (command: string, object = "infrastructure/cluster", ...more: readonly string[]) =>
  cliWorld({ kube, files: { "/mine.yaml": "guards: [no-deletes]\n" } }).run(command, object, ...more);

describe.each(["plan", "explain"])("%s", (command) => {
  test("goes by the configuration of the manager that leads, and says whose it is", async () => {
    await lead({});
    const { code, out, err } = await ask(command);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("topology (guards: dry-run)");
    expect(out).toContain(running);
  });

  test("goes by a file that is named, whoever leads", async () => {
    await lead({});
    const { out } = await ask(command, "infrastructure/cluster", "--config", "/mine.yaml");
    expect(out).toContain("topology (guards: no-deletes)");
    expect(out).toContain("Configuration: /mine.yaml.");
  });

  test("tells programs which it was, and a line beside the data says it to people", async () => {
    await lead({});
    const { out, err } = await ask(command, "infrastructure/cluster", "-o", "json");
    expect(out).toContain(`"configuration": "lease mainstay-system/mainstay-controller"`);
    expect(err).toBe(`note: ${running}`);
  });

  test("goes by the defaults where no manager has led, and says so", async () => {
    const { code, out, err } = await ask(command);
    expect([code, out.includes(defaults), err]).toEqual([0, true, ""]);
    const forPrograms = await ask(command, "infrastructure/cluster", "-o", "json");
    expect([forPrograms.err, forPrograms.out.includes(`"configuration": null`)]).toEqual([`note: ${defaults}`, true]);
  });

  test.each([
    ["gave its lease back", { holder: "" }],
    ["died", { renewedSecondsAgo: 3_600 }],
  ])("goes by the configuration of a manager that %s, and says that nobody leads", async (_, leading) => {
    await lead(leading);
    const { out } = await ask(command);
    expect(out).toContain("topology (guards: dry-run)");
    expect(out).toContain(
      "Configuration: that of the manager that led last; none leads now (lease mainstay-system/mainstay-controller).",
    );
  });

  test.each([
    ["belongs to an earlier term: an older manager leads", { epoch: 6 }, "does not name one"],
    ["is of a manager with settings that this program does not know", {}, "this program cannot use the one on"],
  ])("goes by the defaults when what the lease says %s", async (_, leading, why) => {
    await lead(leading);
    if (why.startsWith("this program")) {
      const said = JSON.stringify({ epoch: 7, configuration: { guards: [], levitation: true } });
      const body = { metadata: { annotations: { [configurationAnnotation]: said } } };
      const ref = { namespace: "mainstay-system", name: "mainstay-controller" };
      await kube.patch(leases, ref, { type: "merge", body });
    }
    const { out, err } = await ask(command);
    expect(out).toContain(defaults);
    expect(err).toContain(why);
  });

  test("says of a kind whose controller the manager has off that nothing is done for it", async () => {
    await lead({ configuration: "controllers: {topology: {enabled: false}}\n" });
    const { code, out } = await ask(command);
    expect(code).toBe(0);
    expect(out).toContain("No controller that is turned on manages this kind: nothing is done.");
  });
});

test("where managers divide objects among them, the one whose object it is counts", async () => {
  const labels = { "cluster.x-k8s.io/watch-filter": "east" };
  const metadata = { name: "blue", namespace: "default", labels };
  await kube.create<KubeObject>(openStackClusters, {
    apiVersion: apiVersionOf(openStackClusters),
    kind: openStackClusters.kind,
    metadata,
    spec: { identityRef: { name: "blue-cloud", cloudName: "demo" } },
  } as KubeObject);
  await lead({ name: leaseNameFor({ watchFilter: "west" }), configuration: "watchFilter: west\n" });
  await lead({
    name: leaseNameFor({ watchFilter: "east" }),
    configuration: "watchFilter: east\nguards: [no-deletes]\n",
  });
  const { out } = await ask("explain", "osc/blue");
  expect(out).toContain(`(lease mainstay-system/${leaseNameFor({ watchFilter: "east" })})`);
  expect(out).toContain("openstack-cluster (guards: no-deletes)");
});

test("somebody who may not read the lease gets the defaults, and is told why", async () => {
  await lead({});
  const refused: Kube = {
    ...kube,
    get: (kind, ref, options) =>
      kind.plural === leases.plural
        ? kubeClient({ transport: api.transport("reader"), clock: systemClock }).get(kind, ref, options)
        : kube.get(kind, ref, options),
  };
  const { out, err } = await cliWorld({ kube: refused }).run("plan", "infrastructure/cluster");
  expect(out).toContain(defaults);
  expect(err).toContain("the lease mainstay-system/mainstay-controller may not be read");
});

test("neither paths nor addresses are published", () => {
  const text = "kubeconfig: /etc/mainstay/kubeconfig\ncontext: mine\ndashboard: {hosts: [mainstay.example.com]}\n";
  const { configuration } = readConfiguration({ text, jobs: allJobs });
  const said = publishConfiguration(configuration)(1)[configurationAnnotation] ?? "";
  expect(said).not.toMatch(/kubeconfig|mine|example\.com|certificateFolder|127\.0\.0\.1/);
  expect(said.length).toBeLessThan(4_096);
});

describe("doctor", () => {
  const doctor = (...more: readonly string[]) =>
    cliWorld({ kube, files: { "/mine.yaml": "guards: [dry-run]\n" } }).run("doctor", ...more);

  test("goes by the configuration of the manager that leads, and says whose it is", async () => {
    await lead({ configuration: "controllers: {topology: {enabled: false}}\n" });
    const { out } = await doctor();
    expect(out).toContain(
      "configuration: that of the running manager manager-1 (lease mainstay-system/mainstay-controller)",
    );
    expect(out).not.toContain("permissions of topology");
    expect(out).toContain("permissions of dashboard: not checked: only the manager's file says whether it is on");
  });

  test("goes by a file that is named, whoever leads, and by the defaults where nobody has led", async () => {
    expect((await doctor()).out).toContain("no file given and no manager found; the defaults are checked");
    await lead({ configuration: "controllers: {topology: {enabled: false}}\n" });
    const { out } = await doctor("--config", "/mine.yaml");
    expect(out).toContain("configuration: /mine.yaml can be used");
    expect(out).toContain("permissions of topology");
  });
});

test("explain says of an object that nobody has reported on that its health is unknown, and prints all times alike", async () => {
  const event = (name: string, times: object) => ({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { namespace: "default", name },
    regarding: { kind: "Infrastructure", name: "cluster" },
    reason: "TopologyRecorded",
    note: name,
    type: "Normal",
    action: "record",
    reportingController: "topology",
    reportingInstance: "manager-1",
    eventTime: "2026-01-01T00:00:00.123456Z",
    ...times,
  });
  await kube.create<KubeObject>(events, event("first", {}));
  const series = { count: 2, lastObservedTime: "2026-01-01T00:00:07.654321Z" };
  await kube.create<KubeObject>(events, event("second", { series }));
  const { out } = await ask("explain");
  expect(out).toContain("Its health is unknown.");
  expect(out).toMatch(/^TopologyRecorded +2 +2026-01-01T00:00:07Z +second/m);
  expect(out).toMatch(/^TopologyRecorded +1 +2026-01-01T00:00:00Z +first/m);
});
