// Random changes of a cloud, such as the planner asks for, in words that hold for the model and for the fake cloud alike: things are
// called by name, and each side finds its own ids.

import fc from "fast-check";
import type { EndpointAction } from "../../../src/jobs/api-endpoint/core/model/action.ts";

const zones = ["az1", "az2"] as const;
type Zone = (typeof zones)[number];

export type CloudCall =
  | { readonly call: "pass" }
  | { readonly call: "break-pool"; readonly zone: Zone; readonly port: number }
  | { readonly call: "break-balancer"; readonly zone: Zone }
  | { readonly call: Below; readonly zone: Zone; readonly port: number }
  | {
      readonly call: "create-listener" | "update-listener";
      readonly zone: Zone;
      readonly port: number;
      readonly cidrs: readonly string[];
    }
  | {
      readonly call: "create-pool" | "update-pool";
      readonly zone: Zone;
      readonly port: number;
      readonly algorithm: Algorithm;
    }
  | {
      readonly call: "create-monitor" | "update-monitor";
      readonly zone: Zone;
      readonly port: number;
      readonly retries: number;
    }
  | {
      readonly call: "merge-members";
      readonly zone: Zone;
      readonly port: number;
      readonly hosts: readonly number[];
      readonly named: boolean;
    }
  | { readonly call: "remove-member"; readonly zone: Zone; readonly port: number; readonly host: number }
  | { readonly call: OnBalancer; readonly zone: Zone }
  | { readonly call: "create-load-balancer"; readonly zone: Zone; readonly vip: boolean; readonly placed: boolean };

type Below = "delete-listener" | "delete-pool" | "delete-monitor";
const balancerCalls = ["update-load-balancer", "delete-load-balancer", "failover-load-balancer"] as const;
const floatingIpCalls = [
  "create-floating-ip",
  "attach-floating-ip",
  "detach-floating-ip",
  "tag-floating-ip",
  "delete-floating-ip",
] as const;
type OnBalancer = (typeof balancerCalls)[number] | (typeof floatingIpCalls)[number];
type Algorithm = Extract<EndpointAction, { kind: "create-pool" }>["wanted"]["algorithm"];

const zone = fc.constantFrom(...zones);
const port = fc.constantFrom(6443, 9345);
const cidrs = fc.constantFrom<readonly string[]>([], [], ["192.0.2.9/24"], ["2001:db8::/32"]);
const retries = fc.constantFrom(1, 3, 11);
const hosts = fc.array(fc.constantFrom(11, 12, 13), { minLength: 1, maxLength: 2 });
const calls = <const Call extends string>(...names: readonly Call[]) => fc.constantFrom(...names);

/** One balancer is there with everything, the other is not; then anything may be asked for. */
export function cloudCalls(provider: string): fc.Arbitrary<readonly CloudCall[]> {
  const usual = provider === "ovn" ? "SOURCE_IP_PORT" : "ROUND_ROBIN";
  const algorithm = fc.constantFrom<Algorithm>(usual, usual, "ROUND_ROBIN", "SOURCE_IP_PORT");
  const anything = fc.oneof(
    { weight: 30, arbitrary: fc.record({ call: calls("pass") }) },
    { weight: 9, arbitrary: fc.record({ call: calls("create-listener", "update-listener"), zone, port, cidrs }) },
    { weight: 9, arbitrary: fc.record({ call: calls("create-pool", "update-pool"), zone, port, algorithm }) },
    { weight: 9, arbitrary: fc.record({ call: calls("create-monitor", "update-monitor"), zone, port, retries }) },
    {
      weight: 9,
      arbitrary: fc.record({ call: calls("merge-members"), zone, port, hosts, named: fc.boolean() }),
    },
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
    { weight: 10, arbitrary: fc.record({ call: calls(...floatingIpCalls), zone }) },
  );
  return fc.array(anything, { minLength: 20, maxLength: 60 }).map((random) => [...built(usual), ...random]);
}

function built(algorithm: Algorithm): readonly CloudCall[] {
  const part = { zone: "az1", port: 6443 } as const;
  return [
    { call: "create-load-balancer", zone: "az1", vip: false, placed: false },
    { call: "pass" },
    { call: "create-listener", ...part, cidrs: [] },
    { call: "pass" },
    { call: "create-pool", ...part, algorithm },
    { call: "pass" },
    { call: "merge-members", ...part, hosts: [11, 12], named: true },
    { call: "pass" },
  ];
}

/** All but time and what breaks by itself. */
export type CallOfPlanner = Exclude<CloudCall, { call: "pass" | "break-pool" | "break-balancer" }>;
