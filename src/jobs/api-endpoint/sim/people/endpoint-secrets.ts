// The Secrets with the credentials of clusters. Now and then somebody pastes those of another project on the same network, and notices a
// while later. Only where the object says already in which project its things are: until then wrong credentials cannot be known from right ones.

import { secrets } from "../../../../apis/kube/builtin-kinds.ts";
import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import { chance } from "../../../../sim/time/derive-seed.ts";
import { locationAnnotation } from "../../apis/annotations.ts";
import { cloudsYaml, resourceOf, secretOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointSim, objectFor } from "../endpoint-sim.ts";
import { later } from "./later.ts";

export class EndpointSecrets {
  readonly #sim: EndpointSim;
  readonly #right: string;
  readonly #wrong: string;

  constructor(sim: EndpointSim) {
    this.#sim = sim;
    const { lab, fake, world } = sim;
    const other = world.secretMarker("openstack-password-of-other");
    fake.faults.setPassword("other", other);
    this.#right = rightClouds(sim);
    this.#wrong = cloudsYaml(lab, { user: "other", password: other });
    // What an object names is to be found from there, too.
    fake.cloud.tables.networks.patch(lab.networkId, { shared: true });
  }

  async make({ namespace }: EndpointCluster): Promise<void> {
    await this.#sim.world.kube.create(secrets, secretOf(namespace, this.#right));
  }

  /** Some find that nothing works any more, and give the cluster up. */
  async mistake(cluster: EndpointCluster, giveUp: () => Promise<void>): Promise<void> {
    if (objectFor(this.#sim, cluster)?.metadata.annotations?.[locationAnnotation] === undefined) return;
    await this.#write(cluster, this.#wrong);
    if (chance(this.#sim.world.random, 0.3)) later(this.#sim, 500, 8_000, giveUp);
    later(this.#sim, 4_000, 25_000, () => this.correct(cluster));
  }

  async correct(cluster: EndpointCluster): Promise<void> {
    if (hasWrongCredentials(this.#sim, cluster)) await this.#write(cluster, this.#right);
  }

  async #write({ namespace }: EndpointCluster, text: string): Promise<void> {
    const { kube } = this.#sim.world;
    const { metadata, ...written } = secretOf(namespace, text);
    await ignoreRefusal(kube.patch(secrets, { namespace, name: metadata.name }, { type: "merge", body: written }));
  }
}

/** By what the Secret says, which a restore may change as well. */
export function hasWrongCredentials(sim: EndpointSim, { namespace }: EndpointCluster): boolean {
  const { world } = sim;
  const right = secretOf(namespace, rightClouds(sim));
  const found = world.view.objectAt(resourceOf(secrets), `${namespace}/${right.metadata.name}`);
  return found !== undefined && JSON.stringify(dataOf(found)) !== JSON.stringify(dataOf(right));
}

/** Asked for all the time, and the same for as long as a world lives. */
const written = new WeakMap<EndpointSim, string>();

function rightClouds(sim: EndpointSim): string {
  const { lab, password } = sim;
  const text = written.get(sim) ?? cloudsYaml(lab, { user: "demo", password });
  written.set(sim, text);
  return text;
}

function dataOf(secret: object): unknown {
  return (secret as { readonly data?: unknown }).data;
}
