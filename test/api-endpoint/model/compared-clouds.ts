// The two clouds that are compared: the model that planners are tested on, and the strict fake that the real services have judged. Both
// carry out the planner's actions and show in the same words what there is.

import { known } from "../../../src/core/known.ts";
import type { FloatingIp } from "../../../src/core/openstack/neutron-objects.ts";
import type {
  HealthMonitor,
  Listener,
  LoadBalancer,
  Member,
  Pool,
} from "../../../src/core/openstack/octavia-objects.ts";
import { isOpenStackError } from "../../../src/core/openstack/openstack-error.ts";
import type { EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";
import { createLabShaped } from "../../../src/sim/fakes/openstack/lab-shaped.ts";
import { seededRandom } from "../../../src/sim/time/seeded-random.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import type { IdsByName } from "./action-by-name.ts";
import { callCloud } from "./call-cloud.ts";
import { CloudModel } from "./cloud-model.ts";
import type { PoolRow } from "./cloud-rows.ts";
import { placesOf, zonesIntent } from "./endpoint-builders.ts";
import { ModelRefusal } from "./model-refusal.ts";

/** Everything there is, as both can say it. */
export interface Inventory {
  readonly balancers: readonly LoadBalancer[];
  readonly parts: readonly Part[];
  readonly floatingIps: readonly FloatingIp[];
}

export interface Part {
  readonly kind: "listener" | "pool" | "monitor" | "member";
  readonly id: string;
  readonly name: string;
  /** Id of what it is below. */
  readonly below: string;
  /** Everything of it that a planner can see or set. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ComparedCloud {
  inventory(): Promise<Inventory>;
  /** `done`, or the code of the refusal. */
  apply(action: EndpointAction): Promise<string>;
  pass(): Promise<void>;
  breakPart(id: string): void;
  readonly places: Pick<IdsByName, "subnet" | "network">;
}

export const zones = ["az1", "az2", "az3"];

export function modelledCloud(provider: string): ComparedCloud {
  const model = new CloudModel(zonesIntent(zones));
  model.places = known(placesOf(zones));
  model.defaultProvider = provider;
  return {
    inventory: async () => inventoryOf(model),
    async apply(action) {
      try {
        model.apply(action);
        return "done";
      } catch (error) {
        if (error instanceof ModelRefusal) return error.code;
        throw error;
      }
    },
    pass: async () => model.settle(),
    breakPart(id) {
      for (const { lb, pools } of model.rows) {
        if (lb.id === id) lb.provisioningStatus = "ERROR";
        for (const pool of pools) if (pool.id === id) pool.status = "ERROR";
      }
    },
    places: { subnet: (zone) => `sub-${zone}`, network: "public" },
  };
}

const always = ["provisioningStatus", "adminStateUp", "tags"] as const;
const shown = {
  listener: [
    ...always,
    "protocol",
    "port",
    "allowedCidrs",
    "defaultPoolId",
    "connectionLimit",
    "clientTimeoutMs",
    "memberTimeoutMs",
  ],
  pool: [...always, "protocol", "algorithm"],
  monitor: [...always, "type", "delaySeconds", "timeoutSeconds", "maxRetries", "maxRetriesDown"],
  member: [...always, "address", "port", "weight", "subnetId"],
} as const satisfies {
  readonly listener: readonly (keyof Listener)[];
  readonly pool: readonly (keyof Pool)[];
  readonly monitor: readonly (keyof HealthMonitor)[];
  readonly member: readonly (keyof Member)[];
};

function part(kind: Part["kind"], below: string, row: { readonly id: string; readonly name: string }): Part {
  const values = row as unknown as Readonly<Record<string, unknown>>;
  const fields = Object.fromEntries(shown[kind].map((field) => [field, values[field]]));
  return { kind, id: row.id, name: row.name, below, fields };
}

function inventoryOf({ rows, floatingIps }: CloudModel): Inventory {
  const parts = rows.flatMap(({ lb, listeners, pools, monitors }) => [
    ...listeners.map((listener) => part("listener", lb.id, listener)),
    ...pools.map((pool) => part("pool", lb.id, { ...pool, provisioningStatus: pool.status } as PoolRow)),
    ...monitors.map((monitor) => part("monitor", monitor.poolId, monitor)),
    ...pools.flatMap(({ id, members }) => members.map((member) => part("member", id, member))),
  ]);
  return { balancers: rows.map(({ lb }) => lb), parts, floatingIps };
}

/** Longer than any phase of the fake. */
const restMs = 20_000;

export function fakeCloud(provider: string): ComparedCloud {
  const clock = new VirtualClock();
  const lab = createLabShaped({ clock, random: seededRandom(5), defaultProvider: provider });
  // Failover is for administrators.
  const project = lab.fake.project(lab.clouds.admin);
  return {
    async inventory() {
      const { tables } = lab.fake.cloud;
      const parts = [
        ...tables.listeners.all().map((listener) => part("listener", listener.loadBalancerId, listener)),
        ...tables.pools.all().map((pool) => part("pool", pool.loadBalancerId, pool)),
        ...tables.healthmonitors.all().map((monitor) => part("monitor", monitor.poolId, monitor)),
        ...tables.members.all().map((member) => part("member", member.poolId, member)),
      ];
      return { balancers: tables.loadbalancers.all(), parts, floatingIps: tables.floatingips.all() };
    },
    async apply(action) {
      try {
        await callCloud(project, action);
        return "done";
      } catch (error) {
        if (isOpenStackError(error)) return error.code;
        throw error;
      }
    },
    pass: () => clock.advance(restMs),
    breakPart(id) {
      const kind = lab.fake.cloud.tables.pools.get(id) === undefined ? "loadbalancers" : "pools";
      lab.fake.faults.setStatus(kind, id, { provisioning: "ERROR" });
    },
    places: {
      subnet: (zone) => lab.subnetIds[Number(zone.slice(2)) - 1] ?? "",
      network: lab.externalNetworkId,
    },
  };
}
