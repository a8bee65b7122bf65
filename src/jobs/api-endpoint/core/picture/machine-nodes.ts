// The control-plane machines of a picture, and the ways to them from the balancers. Status says who does not answer behind which balancer;
// which machines there are, and in which zones, the Machines say.

import { controlPlaneLabel, type Machine, machines } from "../../../../apis/cluster-api/cluster-api-kinds.ts";
import { isSameKind, type KubeObject, refOf } from "../../../../apis/kube/kube-object.ts";
import type { Health } from "../../../../core/views/object-view.ts";
import type { EdgeState, PictureEdge, PictureNode, RelatedThing } from "../../../../core/views/picture.ts";
import { objectId } from "../../../../core/views/plan-view.ts";
import { areMembersSeen } from "../status/members-seen.ts";
import { isMadeAgain } from "../status/zone-health.ts";
import type { Way } from "./way.ts";

export interface ShownMachine {
  readonly machine: Machine;
  /** As members are named. */
  readonly name: string;
  readonly zone: string | undefined;
}

/** In the order of zones, as the ways stand beside them. */
export function controlPlaneMachines(related: readonly RelatedThing[], ways: readonly Way[]): readonly ShownMachine[] {
  const place = ({ zone }: ShownMachine) => {
    const found = ways.findIndex((way) => way.zone !== undefined && way.zone === zone);
    return found === -1 ? ways.length : found;
  };
  return related
    .filter(({ kind, object }) => isSameKind(kind, machines) && controlPlaneLabel in (object.metadata.labels ?? {}))
    .map(({ object }) => shownMachine(object))
    .toSorted((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

function shownMachine(object: KubeObject): ShownMachine {
  const machine = object as Machine;
  return {
    machine,
    name: machine.spec?.infrastructureRef?.name ?? machine.metadata.name,
    zone: machine.spec?.failureDomain || machine.status?.failureDomain || undefined,
  };
}

export function machineId({ machine }: ShownMachine): string {
  return `machine ${machine.metadata.name}`;
}

/** Behind a balancer of a zone stand the machines of that zone; with cross-zone members, and behind one of no zone, all of them. */
export function waysToMachines(
  ways: readonly Way[],
  all: readonly ShownMachine[],
  crossZone: boolean,
): readonly PictureEdge[] {
  return ways.flatMap((way) =>
    all
      .filter(({ zone }) => way.zone === undefined || crossZone || zone === way.zone)
      .flatMap((machine) => {
        const state = wayTo(machine, way);
        return state === undefined ? [] : [{ from: `balancer ${way.key}`, to: machineId(machine), state }];
      }),
  );
}

/** Undefined: it is not behind the balancer, or the balancer is not there. */
function wayTo({ name, machine }: ShownMachine, { entry }: Way): EdgeState | undefined {
  const { id, health, members: { total = 0, healthy = 0, down = [] } = {} } = entry;
  if (!areMembersSeen(entry)) return id ? "unknown" : undefined;
  if (isMadeAgain(entry) && total === 0) return "broken";
  if (!id) return undefined;
  if (total === 0) return health === "Unhealthy" ? "unknown" : undefined;
  if (down.includes(name) || healthy === 0) return "broken";
  const isLeaving = machine.metadata.deletionTimestamp !== undefined;
  return down.length === total - healthy && !isLeaving ? "open" : "unknown";
}

export function machineNode(shown: ShownMachine, edges: readonly PictureEdge[], ways: readonly Way[]): PictureNode {
  const { machine, zone } = shown;
  const id = machineId(shown);
  const own = edges.filter(({ to }) => to === id);
  const lost = ways.filter(({ entry }) => isMadeAgain(entry)).map(({ key }) => `balancer ${key}`);
  const isWaiting = own.length > 0 && own.every(({ from }) => lost.includes(from));
  const states = own.map(({ state }) => state);
  const [health, word] = isWaiting ? waiting : howItIs(machine, states);
  return {
    id,
    name: machine.metadata.name,
    health,
    word,
    ...(zone === undefined ? {} : { note: zone }),
    object: objectId(machines, refOf(machine)),
  };
}

/** Nobody knows whether it answers, and it is not to blame. */
const waiting: readonly [Health, string] = ["progressing", "waits for its balancer"];

function howItIs({ metadata }: Machine, states: readonly EdgeState[]): readonly [Health, string] {
  if (metadata.deletionTimestamp !== undefined) return ["progressing", "is being deleted"];
  if (states.length === 0) return ["progressing", "behind no balancer yet"];
  if (states.includes("open")) return ["healthy", "answers"];
  return states.includes("unknown") ? ["unknown", "could not be seen"] : ["unhealthy", "does not answer"];
}
