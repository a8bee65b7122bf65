// The read API over a manager that works, in virtual time: a fake API server that knows a few people with different rights, specimens
// in two namespaces, and every answer and log line kept, so that secrets can be looked for in all of them.

import type { LightMyRequestResponse } from "fastify";
import { customResourceDefinitions, namespaces } from "../../src/apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../src/apis/kube/kube-object.ts";
import { kubeClient } from "../../src/drivers/kube/client.ts";
import { systemOpaqueIds } from "../../src/drivers/system/system-opaque-ids.ts";
import type { Manager, ManagerOptions } from "../../src/engine/manager.ts";
import { managerInsight } from "../../src/engine/report/manager-insight.ts";
import { PlanJournal } from "../../src/engine/report/plan-journal.ts";
import type { Kube } from "../../src/ports/kube.ts";
import { clusterAccess } from "../../src/server/access/access.ts";
import { type StreamMessage, splitStream } from "../../src/server/contract.ts";
import { type ReadApiOptions, readApi } from "../../src/server/read-api/read-api.ts";
import { secretMarkerOf } from "../../src/sim/checkers/secret-marker.ts";
import { createFakeKubeApi } from "../../src/sim/fakes/kube/api-server.ts";
import { type Specimen, specimenCrd, specimens } from "../../src/sim/specimen/specimen-kind.ts";
import { seededRandom } from "../../src/sim/time/seeded-random.ts";
import { quietLog } from "../support/quiet-log.ts";
import { SpecimenCloud, specimenFeatureOn } from "../support/specimen-cloud.ts";
import { startTestManager } from "../support/test-manager.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** Tokens are canaries: they may appear in no answer and no log. */
export const tokens = {
  admin: secretMarkerOf("token-admin"),
  /** Lists specimens in `red` only, and nothing else. */
  red: secretMarkerOf("token-red"),
  /** Lists specimens everywhere, but not the ConfigMaps they are planned from. */
  specimens: secretMarkerOf("token-specimens"),
  /** A valid token without any right. */
  nobody: secretMarkerOf("token-nobody"),
};

const person = (username: string, groups: readonly string[] = []) => ({
  username,
  uid: username,
  groups: [...groups, "system:authenticated"],
});
const roles: Kind = kind("clusterroles", "ClusterRole", false);
const clusterBindings: Kind = kind("clusterrolebindings", "ClusterRoleBinding", false);
const bindings: Kind = kind("rolebindings", "RoleBinding", true);

export class ServerWorld {
  readonly clock = new VirtualClock({ settle: settleWithIo });
  readonly users = new Map([
    [tokens.admin, person("admin", ["system:masters"])],
    [tokens.red, person("reader-of-red")],
    [tokens.specimens, person("reader-of-specimens")],
    [tokens.nobody, person("nobody")],
  ]);
  readonly api = createFakeKubeApi({ clock: this.clock, random: seededRandom(7), users: this.users });
  readonly kube: Kube = kubeClient({ transport: this.api.transport(tokens.admin), clock: this.clock });
  readonly specimenCloud = new SpecimenCloud(this.clock);
  readonly log = quietLog();
  readonly journal = new PlanJournal();
  readonly app;
  readonly #manager: Manager;

  private constructor(options: Partial<ReadApiOptions>, managerOptions: Partial<ManagerOptions>) {
    const features = [specimenFeatureOn(this.specimenCloud)];
    const listeners = new Set<() => void>();
    const { manager } = startTestManager({
      kube: this.kube,
      clock: this.clock,
      random: seededRandom(1),
      log: this.log,
      features,
      identity: "manager-1",
      journal: this.journal,
      onLeading: () => listeners.forEach((listener) => listener()),
      ...managerOptions,
    });
    this.#manager = manager;
    const insight = managerInsight({
      manager: this.#manager,
      identity: "manager-1",
      features,
      journal: this.journal,
      kube: this.kube,
      onLeading: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    });
    this.app = readApi({
      insight,
      access: clusterAccess({ kube: this.kube, clock: this.clock, opaqueIds: systemOpaqueIds() }),
      clock: this.clock,
      opaqueIds: systemOpaqueIds(),
      log: this.log,
      version: "1.2.3",
      demo: false,
      hosts: ["mainstay.example.org"],
      ...options,
    });
  }

  static async start(
    options: Partial<ReadApiOptions> = {},
    managerOptions: Partial<ManagerOptions> = {},
    prepare: (world: ServerWorld) => Promise<unknown> = async () => {},
  ): Promise<ServerWorld> {
    const world = new ServerWorld(options, managerOptions);
    await world.kube.create(customResourceDefinitions, specimenCrd);
    for (const name of ["red", "blue"])
      await world.kube.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await world.#grant();
    await prepare(world);
    // Informers that found no kind look again after a while.
    await world.clock.advance(60_000);
    return world;
  }

  async stop(): Promise<void> {
    await this.app.close();
    const stopped = this.#manager.stop();
    await this.clock.advance(20_000);
    await stopped;
    this.api.close();
  }

  async make(namespace: string, name: string, locations: readonly string[] = ["north"]): Promise<void> {
    await this.kube.create<Specimen>(specimens, {
      apiVersion: "sim.mainstay.dev/v1",
      kind: "Specimen",
      metadata: { name, namespace },
      spec: { locations },
    });
  }

  async get(
    url: string,
    token?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<LightMyRequestResponse> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const pending = this.app.inject({ url, headers: { host: "127.0.0.1", ...authorization, ...headers } });
    await this.clock.advance(0);
    return await pending;
  }

  /** Lets the reader of `red` see another namespace, too. */
  async grantInNamespace(namespace: string): Promise<void> {
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "see-specimens" };
    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "reader-of-red" }];
    await this.kube.create(bindings, rbac("RoleBinding", { name: namespace, namespace }, { roleRef, subjects }));
  }

  async revoke(binding: { readonly name: string; readonly namespace?: string }): Promise<void> {
    await this.kube.delete(binding.namespace === undefined ? clusterBindings : bindings, binding);
  }

  async #grant(): Promise<void> {
    const rules = [{ apiGroups: [specimens.group], resources: [specimens.plural], verbs: ["get", "list", "watch"] }];
    await this.kube.create(roles, rbac("ClusterRole", { name: "see-specimens" }, { rules }));
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "see-specimens" };
    const subject = (name: string) => [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name }];
    await this.kube.create(
      bindings,
      rbac("RoleBinding", { name: "red", namespace: "red" }, { roleRef, subjects: subject("reader-of-red") }),
    );
    await this.kube.create(
      clusterBindings,
      rbac("ClusterRoleBinding", { name: "all" }, { roleRef, subjects: subject("reader-of-specimens") }),
    );
  }
}

/** A stream as a program reads it: messages so far, and whether it is over. */
export class StreamReader {
  readonly messages: StreamMessage[] = [];
  text = "";
  status = 0;
  over = false;
  /** It did not end as streams end. */
  cut = false;
  readonly #abort = new AbortController();

  static open(url: string, token: string, headers: Readonly<Record<string, string>> = {}): StreamReader {
    const reader = new StreamReader();
    void reader.#read(url, { authorization: `Bearer ${token}`, ...headers });
    return reader;
  }

  get types(): readonly string[] {
    return this.messages.map(({ type }) => type);
  }

  get lastId(): string {
    return this.messages.at(-1)?.id ?? "";
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    try {
      const answer = await fetch(url, { headers: { ...headers }, signal: this.#abort.signal });
      this.status = answer.status;
      const decoder = new TextDecoder();
      let rest = "";
      for await (const bytes of answer.body ?? []) {
        const piece = decoder.decode(bytes as Uint8Array, { stream: true });
        this.text += piece;
        const split = splitStream(rest + piece);
        this.messages.push(...split.messages);
        rest = split.rest;
      }
    } catch {
      // Closed by us or cut off: what came until then is what counts.
      this.cut = true;
    } finally {
      this.over = true;
    }
  }
}

/** Promise jobs, and a few turns of the event loop for sockets. */
async function settleWithIo(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    for (let round = 0; round < 60; round += 1) await Promise.resolve();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function kind(plural: string, name: string, namespaced: boolean): Kind {
  return { group: "rbac.authorization.k8s.io", version: "v1", kind: name, plural, namespaced };
}

function rbac(name: string, metadata: KubeObject["metadata"], rest: object): KubeObject {
  return { apiVersion: "rbac.authorization.k8s.io/v1", kind: name, metadata, ...rest };
}
