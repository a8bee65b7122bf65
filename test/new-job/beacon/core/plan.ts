// What the beacon job does next: the ConfigMap is made or follows the text. One that bears no mark of ours is left alone.

import type { KubeObject } from "../../../apis/kube/kube-object.ts";
import { type ChangeReasons, declareChanges } from "../../../core/change-reasons.ts";
import { isBeingDeleted } from "../../../core/ownership.ts";
import { type Action, emptyPlan, type Plan } from "../../../core/plan.ts";
import type { Beacon } from "../apis/beacon.ts";

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface BeaconObserved {
  readonly beacon: Beacon;
  /** Of the same name; `ours` by its mark. */
  readonly configMap: { readonly object: ConfigMap; readonly ours: boolean } | undefined;
}

interface On<K extends string> extends Action {
  readonly kind: K;
  readonly beacon: Beacon;
  readonly text: string;
}

export type BeaconAction = On<"light-beacon"> | (On<"change-beacon"> & { readonly configMap: ConfigMap });

export const beaconChanges = declareChanges({
  "light-beacon": "BeaconCreated",
  "change-beacon": "BeaconUpdated",
} satisfies ChangeReasons<BeaconAction>);

export function planBeacon({ beacon, configMap }: BeaconObserved, prefix: string): Plan<BeaconAction> {
  if (isBeingDeleted(beacon)) return emptyPlan;
  const text = `${prefix}${beacon.spec.text}`;
  if (configMap === undefined)
    return { ...emptyPlan, actions: [{ kind: "light-beacon", beacon, text, because: "BeaconUnlit" }] };
  const { object, ours } = configMap;
  if (!ours) {
    const message = `ConfigMap ${object.metadata.name} bears no mark of ours; delete it, or name the Beacon otherwise`;
    return { ...emptyPlan, refusals: [{ reason: "BeaconConfigMapForeign", message }] };
  }
  if (object.data?.["text"] === text) return emptyPlan;
  const because = "BeaconChanged";
  return { ...emptyPlan, actions: [{ kind: "change-beacon", beacon, configMap: object, text, because }] };
}
