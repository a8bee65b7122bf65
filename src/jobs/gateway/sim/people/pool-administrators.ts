// What administrators do around a pool: Nodes become NotReady, Secrets are deleted and made again, and so is the pool.

import { nodes, secrets } from "../../../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import { pick } from "../../../../sim/time/derive-seed.ts";
import { gatewayPools } from "../../apis/gateway-pool.ts";
import { nodeNames, nodeObject, poolObject, secretNames, secretObject } from "../gateway-objects.ts";
import { type GatewaySim, later, poolName, poolResource } from "../gateway-sim.ts";

export class PoolAdministrators {
  readonly #sim: GatewaySim;

  constructor(sim: GatewaySim) {
    this.#sim = sim;
  }

  async insist(): Promise<void> {
    const { kube, view } = this.#sim.world;
    for (const name of secretNames) {
      const found = view.objectAt("/secrets", `default/${name}`);
      if (found === undefined) await ignoreRefusal(kube.create(secrets, secretObject(this.#sim, name)));
    }
    for (const name of nodeNames) await this.#node(name, true);
    await this.makePool();
  }

  async nodeGoes(): Promise<void> {
    const name = pick(this.#sim.world.random, nodeNames) ?? "node-1";
    await this.#node(name, false);
    later(this.#sim, 1_000, 15_000, () => this.#node(name, true));
  }

  async secretGoes(): Promise<void> {
    const { kube, random } = this.#sim.world;
    const name = pick(random, secretNames) ?? "agents";
    await ignoreRefusal(kube.delete(secrets, { namespace: "default", name }));
    later(this.#sim, 2_000, 20_000, () => ignoreRefusal(kube.create(secrets, secretObject(this.#sim, name))));
  }

  async poolGoes(): Promise<void> {
    await ignoreRefusal(this.#sim.world.kube.delete(gatewayPools, { name: poolName }));
    later(this.#sim, 5_000, 20_000, () => this.makePool());
  }

  async makePool(): Promise<void> {
    const { kube, view } = this.#sim.world;
    if (view.objectAt(poolResource, poolName) === undefined)
      await ignoreRefusal(kube.create(gatewayPools, poolObject(this.#sim)));
  }

  async #node(name: string, isReady: boolean): Promise<void> {
    const { kube, view } = this.#sim.world;
    const found = view.objectAt("/nodes", name) as { readonly status?: unknown } | undefined;
    const { status } = nodeObject(name, isReady) as KubeObject & { readonly status: object };
    if (found === undefined)
      await ignoreRefusal(kube.create(nodes, { apiVersion: "v1", kind: nodes.kind, metadata: { name } }));
    if (JSON.stringify(found?.status) === JSON.stringify(status)) return;
    await ignoreRefusal(kube.patch(nodes, { name }, { type: "merge", body: { status } }, { subresource: "status" }));
  }
}
