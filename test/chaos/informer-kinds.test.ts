// Kinds that come, go, change their version or are forbidden while an informer wants them, on the fake API server and on a real one.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { customResourceDefinitions } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { loadKubeconfig } from "../../src/drivers/kube/kubeconfig/kubeconfig.ts";
import { undiciTransport } from "../../src/drivers/kube/undici-transport.ts";
import { systemClock } from "../../src/drivers/system/system-clock.ts";
import { systemRandom } from "../../src/drivers/system/system-random.ts";
import { Informer } from "../../src/engine/informer/informer.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { describeLab, labKube } from "../lab.ts";
import { quietLog } from "../support/quiet-log.ts";
import { Replica } from "../support/replica.ts";

interface Session {
  readonly admin: Kube;
  /** A user without any rights until a test binds a role to it. */
  readonly restricted: { readonly kube: Kube; readonly username: string };
  close(): Promise<void>;
}

const clusterRoles = rbac("ClusterRole", "clusterroles");
const clusterRoleBindings = rbac("ClusterRoleBinding", "clusterrolebindings");

function kindsSuite(open: () => Promise<Session>): void {
  let session: Session;
  const unique = systemRandom.uuid().slice(0, 8);
  const informers: Informer[] = [];
  beforeAll(async () => {
    session = await open();
  });
  afterAll(async () => {
    await Promise.all(informers.map((informer) => informer.stop()));
    await session?.close();
  });

  function mirror(kind: Kind, options: { readonly kube?: Kube; readonly versions?: readonly string[] } = {}) {
    const replica = new Replica();
    const informer = new Informer({
      kube: session.admin,
      clock: systemClock,
      random: systemRandom,
      log: quietLog(),
      kind,
      ...options,
      timings: { missingBackoff: { baseMs: 100, maxMs: 500 } },
    });
    informers.push(informer);
    informer.addHandler(replica.handler);
    informer.start();
    return { informer, replica };
  }

  test("mirrors a kind once its definition appears, and delivers deletions when it vanishes", async () => {
    const kind = gadgets(`appear-${unique}.example.com`, "v1");
    const { informer, replica } = mirror(kind);
    await until(() => informer.state === "not-served");
    expect(informer.readiness().message).toContain("no CustomResourceDefinition");
    await session.admin.create(customResourceDefinitions, definition(kind.group, ["v1"]));
    await until(() => informer.state === "synced");
    await session.admin.create(kind, gadget(kind, "first"));
    await until(() => informer.list().length === 1);
    await session.admin.delete(customResourceDefinitions, { name: `gadgets.${kind.group}` });
    await until(() => informer.state === "not-served");
    await until(() => informer.list().length === 0);
    expect([replica.changes, replica.contradictions]).toEqual([["added first", "deleted first"], []]);
  });

  test("keeps what it knows when its version is not served any more, and another informer switches", async () => {
    const kind = gadgets(`versions-${unique}.example.com`, "v1beta1");
    const name = `gadgets.${kind.group}`;
    await session.admin.create(customResourceDefinitions, definition(kind.group, ["v1beta1", "v1"]));
    const strict = mirror(kind);
    const flexible = mirror(kind, { versions: ["v1beta1", "v1"] });
    await until(() => strict.informer.state === "synced" && flexible.informer.state === "synced");
    await session.admin.create(kind, gadget(kind, "kept"));
    await until(() => strict.informer.list().length === 1 && flexible.informer.list().length === 1);
    const stopServing = {
      type: "json",
      body: [{ op: "replace", path: "/spec/versions/0/served", value: false }],
    } as const;
    await session.admin.patch(customResourceDefinitions, { name }, stopServing);
    await until(() => flexible.informer.list()[0]?.apiVersion === `${kind.group}/v1`);
    await until(
      () => strict.informer.state === "not-served" && strict.informer.readiness().message.includes("only v1"),
    );
    expect(strict.replica.changes).toEqual(["added kept"]);
    expect(strict.informer.list()).toHaveLength(1);
    await session.admin.delete(customResourceDefinitions, { name });
    await until(() => strict.informer.list().length === 0 && flexible.informer.list().length === 0);
  });

  test("says that a kind is forbidden, and mirrors it once a role allows it", async () => {
    const { kube, username } = session.restricted;
    const kind = gadgets(`forbidden-${unique}.example.com`, "v1");
    await session.admin.create(customResourceDefinitions, definition(kind.group, ["v1"]));
    const neighbour = mirror(kind);
    await until(() => neighbour.informer.state === "synced");
    const { informer } = mirror(kind, { kube });
    await until(() => informer.state === "forbidden");
    expect(informer.readiness().ready).toBe(false);
    const name = `mirror-${unique}`;
    const rules = [{ apiGroups: [kind.group], resources: ["gadgets"], verbs: ["list", "watch"] }];
    await session.admin.create(clusterRoles, rbacObject("ClusterRole", name, { rules }));
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: username }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
    await session.admin.create(clusterRoleBindings, rbacObject("ClusterRoleBinding", name, { subjects, roleRef }));
    await until(() => informer.state === "synced");
    await session.admin.delete(clusterRoleBindings, { name });
    await session.admin.delete(clusterRoles, { name });
    await session.admin.delete(customResourceDefinitions, { name: `gadgets.${kind.group}` });
  });
}

function gadgets(group: string, version: string): Kind {
  return { group, version, kind: "Gadget", plural: "gadgets", namespaced: true };
}

function gadget(kind: Kind, name: string): KubeObject {
  return { apiVersion: `${kind.group}/${kind.version}`, kind: "Gadget", metadata: { name, namespace: "default" } };
}

function definition(group: string, versions: readonly string[]): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const spec = {
    group,
    scope: "Namespaced",
    names: { kind: "Gadget", plural: "gadgets", singular: "gadget", listKind: "GadgetList" },
    versions: versions.map((name) => ({ name, served: true, storage: name === versions.at(-1), schema })),
  };
  const metadata = { name: `gadgets.${group}` };
  return Object.assign({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata }, { spec });
}

function rbac(kind: string, plural: string): Kind {
  return { group: "rbac.authorization.k8s.io", version: "v1", kind, plural, namespaced: false };
}

function rbacObject(kind: string, name: string, rest: object): KubeObject {
  return Object.assign({ apiVersion: "rbac.authorization.k8s.io/v1", kind, metadata: { name } }, rest);
}

async function until(holds: () => boolean): Promise<void> {
  const endMs = systemClock.monotonicMs() + 20_000;
  while (!holds()) {
    if (systemClock.monotonicMs() > endMs) throw new Error(`waited in vain for ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("kinds that come and go on the fake API server", () => {
  kindsSuite(async () => {
    const users = new Map([
      ["admin", { username: "admin", uid: "1", groups: ["system:masters"] }],
      ["controller", { username: "controller", uid: "2", groups: ["controllers"] }],
    ]);
    const api = createFakeKubeApi({ clock: systemClock, random: systemRandom, users });
    const client = (token: string): Kube => kubeClient({ transport: api.transport(token), clock: systemClock });
    return {
      admin: client("admin"),
      restricted: { kube: client("controller"), username: "controller" },
      close: async () => api.close(),
    };
  });
});

describeLab("kinds that come and go on a real API server", labKube, (lab) => {
  kindsSuite(async () => {
    const open = async (path: string) => {
      const connection = await loadKubeconfig({ path, environment: {}, home: "/", clock: systemClock });
      const transport = undiciTransport({ connection });
      return { kube: kubeClient({ transport, clock: systemClock }), transport };
    };
    const admin = await open(lab.kubeconfig);
    const controller = await open(lab.controllerKubeconfig);
    return {
      admin: admin.kube,
      restricted: { kube: controller.kube, username: "controller" },
      close: async () => {
        await admin.transport.close();
        await controller.transport.close();
      },
    };
  });
});
