// What people do around a topology: nodes come and go, upgrades begin and end, modes are asked for and asked back, somebody deletes the
// report or the Infrastructure itself. What they request in the end is insisted on, with everything it takes.

import { nodes } from "../../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../../apis/kube/kube-object.ts";

import { ignoreRefusal } from "../../../sim/run/ignore-refusal.ts";
import type { JobWorld } from "../../../sim/run/sim-job.ts";
import { between, chance, pick } from "../../../sim/time/derive-seed.ts";
import { clusterVersions } from "../apis/cluster-version.ts";
import { infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { topologyReports } from "../apis/topology-report.ts";
import { requestedIn } from "./topology-checkers.ts";
import { clusterVersion, clusterVersionRef, isUpgrading, nodeNamed, versionStatus } from "./topology-objects.ts";
import { infrastructureResource, requests, type TopologySetting } from "./topology-setting.ts";

const ref = { name: infrastructureName };
const mergePatch = (body: unknown) => ({ type: "merge", body }) as const;

export class TopologyUsers {
  readonly #world: JobWorld;
  readonly #setting: TopologySetting;

  constructor(world: JobWorld, setting: TopologySetting) {
    this.#world = world;
    this.#setting = setting;
  }

  async begin(): Promise<void> {
    const { kube } = this.#world;
    const replicas = this.#setting.declared === "SingleReplica" ? 1 : 3;
    for (let i = 1; i <= replicas; i += 1) await kube.create(nodes, nodeNamed(`control-${i}`, "control-plane"));
    await kube.create(clusterVersions, clusterVersion);
    await this.#setUpgrading(chance(this.#world.random, 0.2));
    await this.#makeInfrastructure();
  }

  async act(): Promise<void> {
    const { kube, random } = this.#world;
    const choice = random.next();
    if (choice < 0.15) return this.#addOrRemove(`worker-${between(random, 1, 2)}`, "worker");
    if (choice < 0.3) return this.#addOrRemove(`control-${between(random, 2, 3)}`, "control-plane");
    if (choice < 0.4) return ignoreRefusal(kube.delete(topologyReports, ref));
    if (choice < 0.5) return this.#patch({ metadata: { annotations: { "example.com/seen": String(random.next()) } } });
    if (choice < 0.65) return this.#setUpgrading(chance(random, 0.5));
    if (choice < 0.85) return this.#ask(chance(random, 0.8) ? pick(random, requests) : undefined);
    if (this.#infrastructure() === undefined) return this.#makeInfrastructure();
    return ignoreRefusal(kube.delete(infrastructures, ref));
  }

  /** Everything that the request needs, then the request. */
  async insist(): Promise<void> {
    const { kube, view } = this.#world;
    for (let i = 1; i <= 3; i += 1)
      if (view.objectAt("/nodes", `control-${i}`) === undefined)
        await ignoreRefusal(kube.create(nodes, nodeNamed(`control-${i}`, "control-plane")));
    const resource = `${clusterVersions.group}/${clusterVersions.plural}`;
    if (isUpgrading(view.objectAt(resource, clusterVersionRef.name))) await this.#setUpgrading(false);
    if (this.#infrastructure() === undefined) await this.#makeInfrastructure();
    if (requestedIn(this.#infrastructure()) !== this.#setting.requested) await this.#ask(this.#setting.requested);
  }

  #infrastructure(): KubeObject | undefined {
    return this.#world.view.objectAt(infrastructureResource, infrastructureName);
  }

  async #makeInfrastructure(): Promise<void> {
    const { apiVersion, kind } = { apiVersion: apiVersionOf(infrastructures), kind: infrastructures.kind };
    await ignoreRefusal(this.#world.kube.create(infrastructures, { apiVersion, kind, metadata: ref, spec: {} }));
  }

  async #addOrRemove(name: string, role: "control-plane" | "worker"): Promise<void> {
    const { kube, view } = this.#world;
    if (view.objectAt("/nodes", name) === undefined) await ignoreRefusal(kube.create(nodes, nodeNamed(name, role)));
    else await ignoreRefusal(kube.delete(nodes, { name }));
  }

  async #setUpgrading(upgrading: boolean): Promise<void> {
    const change = mergePatch(versionStatus(upgrading));
    await ignoreRefusal(this.#world.kube.patch(clusterVersions, clusterVersionRef, change, { subresource: "status" }));
  }

  async #ask(topology: string | undefined): Promise<void> {
    await this.#patch({ spec: { controlPlaneTopology: topology ?? null } });
  }

  async #patch(body: unknown): Promise<void> {
    await ignoreRefusal(this.#world.kube.patch(infrastructures, ref, mergePatch(body)));
  }
}
