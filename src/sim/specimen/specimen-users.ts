// What people do with specimens: want one, want it elsewhere, want it gone, want it back, delete a child by hand, put a finalizer of
// their own on it. What they want in the end is remembered, and insisted on.

import { configMaps } from "../../apis/kube/builtin-kinds.ts";
import { apiVersionOf, type KubeObject } from "../../apis/kube/kube-object.ts";

import { markLabel } from "../../core/ownership.ts";
import type { Kube } from "../../ports/kube.ts";
import type { Random } from "../../ports/random.ts";
import type { WorldView } from "../checkers/checker.ts";
import { ignoreRefusal } from "../run/ignore-refusal.ts";
import { between, chance, pick, shuffled } from "../time/derive-seed.ts";
import { locations } from "./cloud.ts";
import { type Specimen, specimenFeatureName, specimenResource, specimens } from "./specimen-kind.ts";

const foreignFinalizer = "example.com/somebody-else";

export class SpecimenUsers {
  /** Name → wanted locations; undefined: wanted gone. */
  readonly wanted = new Map<string, readonly string[] | undefined>();
  readonly #kube: Kube;
  readonly #random: Random;
  readonly #view: WorldView;

  constructor(kube: Kube, random: Random, view: WorldView) {
    this.#kube = kube;
    this.#random = random;
    this.#view = view;
  }

  async act(): Promise<void> {
    const random = this.#random;
    const name = `s${between(random, 1, 3)}`;
    const choice = random.next();
    if (choice < 0.12) return this.#deleteChild();
    if (choice < 0.2) return this.#holdWithFinalizer(name);
    const present = this.wanted.get(name) !== undefined;
    this.wanted.set(name, present && chance(random, 0.3) ? undefined : this.#someLocations());
    await this.#insistOn(name);
  }

  async insist(): Promise<void> {
    for (const name of this.wanted.keys()) await this.#insistOn(name);
    for (const { metadata } of this.#specimens()) {
      if (metadata.finalizers?.includes(foreignFinalizer) === true) await this.#releaseFinalizer(metadata.name);
    }
  }

  #someLocations(): readonly string[] {
    return shuffled(this.#random, locations)
      .slice(0, between(this.#random, 1, 2))
      .toSorted();
  }

  #specimens(): readonly Specimen[] {
    return this.#view.objects(specimenResource) as readonly Specimen[];
  }

  async #insistOn(name: string): Promise<void> {
    const ref = { name, namespace: "default" };
    const wanted = this.wanted.get(name);
    const found = this.#view.objectAt(specimenResource, `default/${name}`) as Specimen | undefined;
    if (wanted === undefined) {
      if (found?.metadata.deletionTimestamp === undefined && found !== undefined)
        await ignoreRefusal(this.#kube.delete(specimens, ref));
    } else if (found === undefined) {
      await ignoreRefusal(this.#kube.create(specimens, specimenOf(name, wanted)));
    } else if (found.metadata.deletionTimestamp === undefined && found.spec.locations.join() !== wanted.join()) {
      await ignoreRefusal(this.#kube.patch(specimens, ref, { type: "merge", body: { spec: { locations: wanted } } }));
    }
  }

  async #deleteChild(): Promise<void> {
    const children = this.#view
      .objects("/configmaps")
      .filter(({ metadata }) => metadata.labels?.[markLabel] === specimenFeatureName);
    const child = pick(this.#random, children);
    if (child === undefined) return;
    const { name, namespace = "" } = child.metadata;
    await ignoreRefusal(this.#kube.delete(configMaps, { name, namespace }));
  }

  async #holdWithFinalizer(name: string): Promise<void> {
    const found = this.#view.objectAt(specimenResource, `default/${name}`);
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return;
    const finalizers = [
      ...(found.metadata.finalizers ?? []).filter((held) => held !== foreignFinalizer),
      foreignFinalizer,
    ];
    await this.#writeFinalizers(found, finalizers);
  }

  async #releaseFinalizer(name: string): Promise<void> {
    const found = this.#view.objectAt(specimenResource, `default/${name}`);
    if (found === undefined) return;
    await this.#writeFinalizers(
      found,
      (found.metadata.finalizers ?? []).filter((held) => held !== foreignFinalizer),
    );
  }

  async #writeFinalizers(found: KubeObject, finalizers: readonly string[]): Promise<void> {
    const { name, namespace = "", resourceVersion } = found.metadata;
    const body = { metadata: { finalizers, resourceVersion } };
    await ignoreRefusal(this.#kube.patch(specimens, { name, namespace }, { type: "merge", body }));
  }
}

function specimenOf(name: string, wanted: readonly string[]): Specimen {
  return {
    apiVersion: apiVersionOf(specimens),
    kind: specimens.kind,
    metadata: { name, namespace: "default" },
    spec: { locations: wanted },
  };
}
