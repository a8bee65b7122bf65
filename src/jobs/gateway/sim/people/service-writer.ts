// Brings Services to what their people want, and their EndpointSlices after them, as kube-controller-manager does.

import { endpointSlices } from "../../../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { ignoreRefusal } from "../../../../sim/run/ignore-refusal.ts";
import { dedicatedAnnotation, managedAnnotation } from "../../apis/annotations.ts";
import { serviceKind } from "../../controller/observe.ts";
import { foreignIngress } from "../gateway-objects.ts";
import { excuse, type GatewaySim, serviceAt } from "../gateway-sim.ts";
import {
  annotationsOf,
  type DesiredService,
  keyOf,
  type ServicePlace,
  serviceObject,
  sliceObject,
  specOf,
} from "./desired-service.ts";

export class ServiceWriter {
  readonly #sim: GatewaySim;
  readonly #desiredOf: (place: ServicePlace) => DesiredService;

  constructor(sim: GatewaySim, desiredOf: (place: ServicePlace) => DesiredService) {
    this.#sim = sim;
    this.#desiredOf = desiredOf;
  }

  /** One that is on its way out is waited for. */
  async write(place: ServicePlace): Promise<void> {
    const { kube } = this.#sim.world;
    const desired = this.#desiredOf(place);
    const found = serviceAt(this.#sim, keyOf(place));
    if (!desired.present) {
      if (found !== undefined && found.metadata.deletionTimestamp === undefined)
        await ignoreRefusal(kube.delete(serviceKind, place));
      return;
    }
    if (found === undefined) return this.make(place);
    if (found.metadata.deletionTimestamp !== undefined || isAsWanted(found, place, desired)) return;
    const annotations = { ...nothingAsked, ...annotationsOf(place, desired) };
    const body = { metadata: { annotations: withoutOurs(found, annotations) }, spec: specOf(desired) };
    await ignoreRefusal(kube.patch(serviceKind, place, { type: "merge", body }));
  }

  async make(place: ServicePlace): Promise<void> {
    const { kube } = this.#sim.world;
    const desired = this.#desiredOf(place);
    if (!desired.present) return;
    excuse(this.#sim, keyOf(place));
    await ignoreRefusal(kube.create<KubeObject>(serviceKind, serviceObject(place, desired)));
    await this.slice(place);
    if (place.isForeign !== true) return;
    const body = { status: { loadBalancer: { ingress: [foreignIngress] } } };
    await ignoreRefusal(kube.patch(serviceKind, place, { type: "merge", body }, { subresource: "status" }));
  }

  /** It goes with its Service. */
  async slice(place: ServicePlace): Promise<void> {
    const { kube, view } = this.#sim.world;
    const slice = sliceObject(place, this.#desiredOf(place));
    const ref = { namespace: place.namespace, name: slice.metadata.name };
    const found = view.objectAt("discovery.k8s.io/endpointslices", `${ref.namespace}/${ref.name}`);
    if (serviceAt(this.#sim, keyOf(place)) === undefined) {
      if (found !== undefined) await ignoreRefusal(kube.delete(endpointSlices, ref));
      return;
    }
    if (found === undefined) return ignoreRefusal(kube.create(endpointSlices, slice));
    const { endpoints, ports } = slice as unknown as SliceContent;
    const now = found as unknown as SliceContent;
    if (JSON.stringify([now.endpoints, now.ports]) === JSON.stringify([endpoints, ports])) return;
    await ignoreRefusal(kube.patch(endpointSlices, ref, { type: "merge", body: { endpoints, ports } }));
  }
}

interface SliceContent {
  readonly endpoints?: unknown;
  readonly ports?: unknown;
}

const nothingAsked = { [dedicatedAnnotation]: null, [managedAnnotation]: null };

/** People take back their own `managed: false`, and never our `true`. */
function withoutOurs(found: KubeObject, annotations: Readonly<Record<string, string | null>>) {
  const { [managedAnnotation]: managed, ...rest } = annotations;
  const keeps = managed === null && found.metadata.annotations?.[managedAnnotation] !== "false";
  return keeps ? rest : annotations;
}

function isAsWanted(found: KubeObject, place: ServicePlace, desired: DesiredService): boolean {
  const { annotations = {} } = found.metadata;
  const asked = annotationsOf(place, desired) as Readonly<Record<string, string>>;
  const isAsked = (name: string) => {
    if (name === managedAnnotation) return (annotations[name] === "false") === desired.optedOut;
    return annotations[name] === asked[name];
  };
  const { spec } = found as unknown as { readonly spec: ReturnType<typeof specOf> };
  const ports = spec.ports.map(({ protocol, port }) => `${protocol} ${port}`).join();
  return (
    [...Object.keys(nothingAsked), ...Object.keys(asked)].every(isAsked) &&
    spec.type === desired.type &&
    ports === desired.ports.map(({ protocol, port }) => `${protocol} ${port}`).join()
  );
}
