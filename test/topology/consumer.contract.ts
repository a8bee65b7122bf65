// What an operator gets that is allowed to read the topology and nothing else: the watcher, with a restricted token.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { nodes } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { isKubeError } from "../../src/core/kube-error.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { clusterVersions } from "../../src/jobs/topology/apis/cluster-version.ts";
import { infrastructures } from "../../src/jobs/topology/apis/infrastructure.ts";
import { applyTopology } from "../../src/jobs/topology/commands/apply-topology.ts";
import { TopologyWatcher } from "../../src/jobs/topology/controller/topology-watcher.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { cliWorld } from "../support/cli-world.ts";
import { quietLog } from "../support/quiet-log.ts";
import { single } from "./apply.contract.ts";
import { cluster, clusterVersionCrd, eventually, type TopologyWorld } from "./topology-world.ts";

const group = "rbac.authorization.k8s.io";
const kindOf = (kind: string, plural: string, namespaced: boolean): Kind => ({
  group,
  version: "v1",
  kind,
  plural,
  namespaced,
});
const kinds: Readonly<Record<string, Kind>> = {
  ClusterRole: kindOf("ClusterRole", "clusterroles", false),
  Role: kindOf("Role", "roles", true),
  ClusterRoleBinding: kindOf("ClusterRoleBinding", "clusterrolebindings", false),
  RoleBinding: kindOf("RoleBinding", "rolebindings", true),
};

/** Creates the roles of a file and binds them to the user `controller`. */
async function bindRoles(world: TopologyWorld, file: string): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "deploy", "rbac", file), "utf8");
  for (const document of parseAllDocuments(text)) {
    const role = parse(document.toString()) as KubeObject;
    const bindingKind = `${role.kind}Binding`;
    const binding = {
      apiVersion: `${group}/v1`,
      kind: bindingKind,
      metadata: { ...role.metadata, labels: {} },
      subjects: [{ apiGroup: group, kind: "User", name: "controller" }],
      roleRef: { apiGroup: group, kind: role.kind, name: role.metadata.name },
    };
    const [roleOf, bindingOf] = [kinds[role.kind], kinds[bindingKind]];
    if (roleOf === undefined || bindingOf === undefined) throw new Error(`${file}: ${role.kind} is not a role`);
    await world.create(roleOf, role);
    await world.create(bindingOf, binding);
  }
}

export function consumerContract(get: () => TopologyWorld): void {
  const watchers: TopologyWatcher[] = [];
  const watch = (kube: Kube) => {
    const watcher = new TopologyWatcher({ kube, clock: systemClock, random: systemRandom, log: quietLog() }).start();
    watchers.push(watcher);
    return watcher;
  };
  afterEach(async () => {
    for (const watcher of watchers.splice(0)) await watcher.stop();
  });

  it("reads and watches the topology with the reader role, and nothing more", async () => {
    await bindRoles(get(), "topology-reader.yaml");
    const { restricted } = get().session;
    await eventually(async () => void (await restricted.list(infrastructures)));
    await applyTopology(get().kube, single);
    const watcher = watch(restricted);
    expect(await watcher.synced).toMatchObject({
      controlPlane: "SingleReplica",
      infrastructure: "SingleReplica",
      known: true,
      source: "status",
    });
    const seen: string[] = [];
    watcher.onChange((now, before) => seen.push(`${before.controlPlane} → ${now.controlPlane}`));
    await get().setStatus({ controlPlaneTopology: "HighlyAvailable" });
    await eventually(async () => expect(seen).toEqual(["SingleReplica → HighlyAvailable"]));
    for (const call of [
      () => restricted.list(nodes),
      () => restricted.patch(infrastructures, cluster, { type: "merge", body: { spec: {} } }),
    ]) {
      const refused = await call().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isKubeError(refused, "Forbidden")).toBe(true);
    }
  });

  it("shows and checks with the reader role alone, and says what it could not see", async () => {
    await applyTopology(get().kube, single);
    const cli = cliWorld({ kube: get().session.restricted });
    expect(await cli.run("topology", "show")).toMatchObject({ code: 3, err: expect.stringContaining("forbidden") });
    await bindRoles(get(), "topology-reader.yaml");
    await eventually(async () =>
      expect(await cli.run("topology", "show")).toMatchObject({
        code: 0,
        out: expect.stringContaining("Nodes: may not be read"),
      }),
    );
    const { code, out, err } = await cli.run("topology", "check", "-o", "json");
    expect(code).toBe(0);
    const unread = ["the list of Nodes", "ConfigMap kube-system/cluster-config-v1"];
    expect(JSON.parse(out)).toEqual({ ok: true, findings: [], unread });
    expect(err.split("\n")).toHaveLength(unread.length);
  });

  it("acts as for HighlyAvailable, with a warning, where it may not read", async () => {
    await applyTopology(get().kube, single);
    const reading = await watch(get().session.restricted).synced;
    expect(reading).toMatchObject({ controlPlane: "HighlyAvailable", infrastructure: "HighlyAvailable", known: false });
    expect(reading.warnings).toEqual([expect.stringContaining("mainstay-topology-reader")]);
  });

  it("acts as for HighlyAvailable on an old cluster without the object, and learns of it when it comes", async () => {
    const watcher = watch(get().kube);
    expect(await watcher.synced).toMatchObject({
      controlPlane: "HighlyAvailable",
      known: false,
      source: "default",
      warnings: [],
    });
    await applyTopology(get().kube, single);
    await eventually(async () =>
      expect(watcher.current()).toMatchObject({ controlPlane: "SingleReplica", known: true }),
    );
  });

  it("keeps the last known value when the object vanishes, and says so", async () => {
    await applyTopology(get().kube, single);
    const watcher = watch(get().kube);
    await watcher.synced;
    await get().kube.delete(infrastructures, cluster);
    await eventually(async () =>
      expect(watcher.current()).toMatchObject({ controlPlane: "SingleReplica", source: "last-known" }),
    );
    expect(watcher.current().warnings).toHaveLength(1);
  });

  it("the controller works with its own role", async () => {
    await bindRoles(get(), "topology-controller.yaml");
    const { restricted } = get().session;
    await eventually(async () => void (await restricted.list(infrastructures)));
    await get().declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
    await get().kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
    });
    get().startManager({}, restricted);
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    expect(await get().published()).toEqual(["SingleReplica", "SingleReplica"]);
  });

  it("the controller's role holds no right that it does not use", async () => {
    await bindRoles(get(), "topology-controller.yaml");
    const { restricted } = get().session;
    await eventually(async () => void (await restricted.list(infrastructures)));
    await get().installDefinitions([clusterVersionCrd]);
    await get().create(clusterVersions, {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterVersion",
      metadata: { name: "version" },
    });
    await get().setClusterVersion("False");
    await get().declareInstallConfig("controlPlane: {replicas: 1}\ncompute: [{replicas: 0}]\n");
    await get().addNodes("control-plane", 3);
    await get().kube.create(infrastructures, {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
    });
    const used = new Set<string>();
    const settings = { mutable: true, cluster: { namespace: "default", name: "self" } };
    get().startManager(settings, usesOf(restricted, used));
    await eventually(async () => expect(await get().condition("Published")).toBe("True TopologyPublished"));
    await get().request("HighlyAvailable");
    await eventually(async () => expect(await get().condition("Settled")).toBe("True TransitionComplete"));
    await get().kube.delete(infrastructures, cluster);
    const unused = () => rightsIn("topology-controller.yaml").filter((each) => !used.has(each));
    await eventually(async () => expect(unused()).toEqual([]));
  });
}

/** Reading is one right: whoever may list may as well get. A repeated event is patched, which takes more than a test. */
function rightsIn(file: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "deploy", "rbac", file), "utf8");
  const rules = parseAllDocuments(text).flatMap((document) => (document.toJS() as { rules: readonly Rule[] }).rules);
  const rights = rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((at) => verbs.map((verb) => right(verb, at))),
  );
  return [...new Set(rights)].filter((each) => each !== "patch events").sort();
}

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

function right(verb: string, resource: string): string {
  return `${["get", "list", "watch"].includes(verb) ? "read" : verb} ${resource}`;
}

function usesOf(kube: Kube, used: Set<string>): Kube {
  const use = (verb: string, { plural }: Kind, subresource?: string) =>
    void used.add(right(verb, subresource === undefined ? plural : `${plural}/${subresource}`));
  return {
    request: (call) => kube.request(call),
    get: (kind, ref, options) => (use("get", kind), kube.get(kind, ref, options)),
    list: (kind, query, options) => (use("list", kind), kube.list(kind, query, options)),
    watch: (kind, query, options) => (use("watch", kind), kube.watch(kind, query, options)),
    create: (kind, object, options) => (use("create", kind), kube.create(kind, object, options)),
    apply: (kind, object, options) => (use("patch", kind, options?.subresource), kube.apply(kind, object, options)),
    patch: (kind, ref, patch, options) => (
      use("patch", kind, options?.subresource), kube.patch(kind, ref, patch, options)
    ),
    delete: (kind, ref, options) => (use("delete", kind), kube.delete(kind, ref, options)),
  };
}
