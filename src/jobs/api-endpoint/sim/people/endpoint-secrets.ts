// The Secrets with the credentials of clusters. Now and then somebody pastes those of another project on the same network, and notices a
// while later. Only where the object says already in which project its things are: until then nothing tells wrong credentials from right ones.

import { secrets } from "../../../../apis/kube/builtin-kinds.ts";
import { between, chance } from "../../../../sim/time/derive-seed.ts";
import { locationAnnotation } from "../../apis/annotations.ts";
import { cloudsYaml, resourceOf, secretOf } from "../endpoint-objects.ts";
import type { EndpointCluster } from "../endpoint-setting.ts";
import { type EndpointStage, objectFor } from "../endpoint-stage.ts";
import { forgiving } from "../faults/forgiving.ts";

export class EndpointSecrets {
  readonly #stage: EndpointStage;
  readonly #right: string;
  readonly #wrong: string;

  constructor(stage: EndpointStage) {
    this.#stage = stage;
    const { lab, fake, world, password } = stage;
    const other = world.canary("openstack-password-of-other");
    fake.faults.setPassword("other", other);
    this.#right = cloudsYaml(lab, { user: "demo", password });
    this.#wrong = cloudsYaml(lab, { user: "other", password: other });
    // What an object names is to be found from there, too.
    fake.cloud.tables.networks.patch(lab.networkId, { shared: true });
  }

  async make({ namespace }: EndpointCluster): Promise<void> {
    await this.#stage.world.kube.create(secrets, secretOf(namespace, this.#right));
  }

  /** Some find that nothing works any more, and give the cluster up. */
  async mistake(cluster: EndpointCluster, giveUp: () => Promise<void>): Promise<void> {
    const { random, space } = this.#stage.world;
    if (objectFor(this.#stage, cluster)?.metadata.annotations?.[locationAnnotation] === undefined) return;
    await this.#say(cluster, this.#wrong);
    if (chance(random, 0.3)) space.scheduler.after(between(random, 500, 8_000), undefined, () => void giveUp());
    space.scheduler.after(between(random, 4_000, 25_000), undefined, () => void this.correct(cluster));
  }

  async correct(cluster: EndpointCluster): Promise<void> {
    if (isAstray(this.#stage, cluster)) await this.#say(cluster, this.#right);
  }

  async #say({ namespace }: EndpointCluster, text: string): Promise<void> {
    const { kube } = this.#stage.world;
    const { metadata, ...said } = secretOf(namespace, text);
    await forgiving(kube.patch(secrets, { namespace, name: metadata.name }, { type: "merge", body: said }));
  }
}

/** By what the Secret says, which a restore may change as well. */
export function isAstray({ world, lab, password }: EndpointStage, { namespace }: EndpointCluster): boolean {
  const right = secretOf(namespace, cloudsYaml(lab, { user: "demo", password }));
  const found = world.view.objectAt(resourceOf(secrets), `${namespace}/${right.metadata.name}`);
  return found !== undefined && JSON.stringify(dataOf(found)) !== JSON.stringify(dataOf(right));
}

function dataOf(secret: object): unknown {
  return (secret as { readonly data?: unknown }).data;
}
