// Random changes of a cloud, such as the planner asks for, in words that hold for the model and for the fake cloud alike: things are
// called by name, and each side finds its own ids.

import fc from "fast-check";
import type {
  MonitorTimings,
  UpdateHealthMonitor,
  UpdateListener,
  UpdateLoadBalancer,
  UpdatePool,
} from "../../../src/core/openstack/octavia-objects.ts";
import {
  type Algorithm,
  allAlgorithms,
  balancerFields,
  listenerFields,
  members,
  monitorFields,
  monitorTimings,
  poolFields,
  type RandomMember,
} from "./random-fields.ts";

const zones = ["az1", "az2"] as const;
type Zone = (typeof zones)[number];

export type CloudCall =
  | { readonly call: "pass" }
  | { readonly call: "break-pool"; readonly zone: Zone; readonly port: number }
  | { readonly call: "break-balancer"; readonly zone: Zone }
  | { readonly call: Below; readonly zone: Zone; readonly port: number }
  | ({ readonly call: "create-listener" | "update-listener" } & Port & Fields<UpdateListener>)
  | ({ readonly call: "create-pool"; readonly algorithm: Algorithm } & Port)
  | ({ readonly call: "update-pool" } & Port & Fields<UpdatePool>)
  | ({ readonly call: "create-monitor" } & Port & Fields<MonitorTimings>)
  | ({ readonly call: "update-monitor" } & Port & Fields<UpdateHealthMonitor>)
  | ({ readonly call: "merge-members"; readonly members: readonly RandomMember[] } & Port)
  | { readonly call: "remove-member"; readonly zone: Zone; readonly port: number; readonly host: number }
  | { readonly call: OnBalancer; readonly zone: Zone }
  /** `outdated`: by what it was like one change ago. */
  | { readonly call: OnSeenFloatingIp; readonly zone: Zone; readonly outdated: boolean }
  | ({ readonly call: "update-load-balancer"; readonly zone: Zone } & Fields<UpdateLoadBalancer>)
  | { readonly call: "create-load-balancer"; readonly zone: Zone; readonly vip: boolean; readonly placed: boolean };

interface Port {
  readonly zone: Zone;
  readonly port: number;
}

interface Fields<Of> {
  readonly fields: Of;
}

type Below = "delete-listener" | "delete-pool" | "delete-monitor";
const balancerCalls = ["delete-load-balancer", "failover-load-balancer"] as const;
const floatingIpCalls = ["create-floating-ip", "tag-floating-ip"] as const;
const seenFloatingIpCalls = ["attach-floating-ip", "detach-floating-ip", "delete-floating-ip"] as const;
type OnSeenFloatingIp = (typeof seenFloatingIpCalls)[number];
type OnBalancer = (typeof balancerCalls)[number] | (typeof floatingIpCalls)[number];

const zone = fc.constantFrom(...zones);
const port = fc.constantFrom(6443, 9345);
const outdated = fc.nat({ max: 3 }).map((one) => one === 0);
const calls = <const Call extends string>(...names: readonly Call[]) => fc.constantFrom(...names);

/** One balancer is there with everything, the other is not; then anything may be asked for. */
export function cloudCalls(provider: string): fc.Arbitrary<readonly CloudCall[]> {
  const usual = provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN";
  const algorithm = fc.constantFrom<Algorithm>(usual, usual, usual, ...allAlgorithms);
  const anything = fc.oneof(
    { weight: 30, arbitrary: fc.record({ call: calls("pass") }) },
    ...[
      fc.record({ call: calls("create-listener", "update-listener"), zone, port, fields: listenerFields }),
      fc.record({ call: calls("merge-members"), zone, port, members }),
    ].map((arbitrary) => ({ weight: 9, arbitrary })),
    ...[
      fc.record({ call: calls("create-pool"), zone, port, algorithm }),
      fc.record({ call: calls("update-pool"), zone, port, fields: poolFields(algorithm) }),
      fc.record({ call: calls("create-monitor"), zone, port, fields: monitorTimings }),
      fc.record({ call: calls("update-monitor"), zone, port, fields: monitorFields }),
    ].map((arbitrary) => ({ weight: 5, arbitrary })),
    { weight: 2, arbitrary: fc.record({ call: calls("update-load-balancer"), zone, fields: balancerFields }) },
    { weight: 4, arbitrary: fc.record({ call: calls("remove-member"), zone, port, host: fc.constantFrom(11, 12) }) },
    {
      weight: 4,
      arbitrary: fc.record({ call: calls("delete-listener", "delete-pool", "delete-monitor"), zone, port }),
    },
    { weight: 2, arbitrary: fc.record({ call: calls("break-pool"), zone, port }) },
    { weight: 1, arbitrary: fc.record({ call: calls("break-balancer"), zone }) },
    { weight: 3, arbitrary: fc.record({ call: calls(...balancerCalls), zone }) },
    {
      weight: 4,
      arbitrary: fc.record({ call: calls("create-load-balancer"), zone, vip: fc.boolean(), placed: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ call: calls(...floatingIpCalls), zone }) },
    { weight: 6, arbitrary: fc.record({ call: calls(...seenFloatingIpCalls), zone, outdated }) },
  );
  return fc.array(anything, { minLength: 20, maxLength: 60 }).map((random) => [...built(usual), ...random]);
}

function built(algorithm: Algorithm): readonly CloudCall[] {
  const part = { zone: "az1", port: 6443 } as const;
  return [
    { call: "create-load-balancer", zone: "az1", vip: false, placed: false },
    { call: "pass" },
    { call: "create-listener", ...part, fields: { allowedCidrs: [] } },
    { call: "pass" },
    { call: "create-pool", ...part, algorithm },
    { call: "pass" },
    { call: "merge-members", ...part, members: [memberAt(11), memberAt(12)] },
    { call: "pass" },
  ];
}

function memberAt(host: number): RandomMember {
  return { host, inSubnet: true, suffix: "", tags: [] };
}

/** All but time and what breaks by itself. */
export type CallOfPlanner = Exclude<CloudCall, { call: "pass" | "break-pool" | "break-balancer" }>;
