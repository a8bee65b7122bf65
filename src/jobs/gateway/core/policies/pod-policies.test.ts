import { describe, expect, test } from "vitest";
import type { NetworkPolicy, NetworkPolicyRule, Pod } from "../../apis/kube-objects.ts";
import { rangeText } from "./client-ranges.ts";
import { clientsOf } from "./pod-policies.ts";

const pod = (fields: Pick<Pod, "spec" | "status"> = {}): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-1", namespace: "shop", labels: { app: "web" } },
  spec: { containers: [{ ports: [{ name: "http", containerPort: 8_080 }] }] },
  status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] },
  ...fields,
});

const policy = (ingress: readonly NetworkPolicyRule[], spec: NetworkPolicy["spec"] = {}, namespace = "shop") => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "p", namespace },
  spec: { podSelector: { matchLabels: { app: "web" } }, ingress, ...spec },
});

const block = (cidr: string, ...except: readonly string[]): NetworkPolicyRule => ({
  from: [{ ipBlock: { cidr, except } }],
});
const range = "198.51.100.0/24";

function allowed(policies: readonly NetworkPolicy[], own = pod(), address = "10.0.0.1"): "any" | readonly string[] {
  const ranges = clientsOf({ policies, pods: [own] })({ address, port: 8_080 }, "TCP");
  return ranges === "any" ? ranges : ranges.map(rangeText);
}

describe("clients of a Pod", () => {
  test.each<readonly [string, readonly NetworkPolicy[], "any" | readonly string[]]>([
    ["without a policy: anybody", [], "any"],
    ["a policy of another namespace: anybody", [policy([], {}, "other")], "any"],
    ["a policy for other Pods: anybody", [policy([], { podSelector: { matchLabels: { app: "db" } } })], "any"],
    ["a policy about egress alone: anybody", [policy([], { policyTypes: ["Egress"] })], "any"],
    ["a policy without rules: nobody", [policy([])], []],
    ["a policy for all Pods of the namespace: nobody", [policy([], { podSelector: {} })], []],
    ["a rule without peers: anybody", [policy([{}])], "any"],
    ["a rule that names Pods: nobody from outside", [policy([{ from: [{}] }])], []],
    ["a range", [policy([block(range)])], [range]],
    ["a range with a hole", [policy([block(range, "198.51.100.0/25")])], ["198.51.100.128/25"]],
    [
      "two policies: both count",
      [policy([block(range)]), policy([block("203.0.113.0/24")])],
      [range, "203.0.113.0/24"],
    ],
    ["another port", [policy([{ ...block(range), ports: [{ port: 80 }] }])], []],
    ["another protocol", [policy([{ ...block(range), ports: [{ protocol: "UDP" }] }])], []],
    ["the port by name", [policy([{ ...block(range), ports: [{ port: "http" }] }])], [range]],
    ["another port by name", [policy([{ ...block(range), ports: [{ port: "metrics" }] }])], []],
    [
      "ports with this one among them",
      [policy([{ ...block(range), ports: [{ port: 8_000, endPort: 9_000 }] }])],
      [range],
    ],
    ["what is no range: nobody", [policy([block("everybody")])], []],
  ])("%s", (_, policies, clients) => {
    expect(allowed(policies)).toEqual(clients);
  });

  test("count by any of its addresses, however they are written", () => {
    expect(allowed([policy([])], pod(), "fd00:0::1")).toEqual([]);
  });

  test("are anybody for a Pod in the network of its node, one that has ended, and what is no Pod", () => {
    expect(allowed([policy([])], pod({ spec: { hostNetwork: true } }))).toBe("any");
    expect(allowed([policy([])], pod({ status: { phase: "Failed", podIPs: [{ ip: "10.0.0.1" }] } }))).toBe("any");
    expect(allowed([policy([])], pod(), "10.0.0.9")).toBe("any");
  });
});
