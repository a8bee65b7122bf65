import { expect, test } from "vitest";
import {
  balancerDescription,
  floatingIpDescription,
  isFloatingIpDescriptionOf,
  isMemberNameOf,
  isPortNameIn,
  isPortNameOf,
  machineInMemberName,
  memberName,
  portName,
  singleName,
  zoneName,
} from "./names.ts";
import { tcpPort } from "./port.ts";

const apiPort = tcpPort(6443);
const cluster = { namespace: "default", name: "demo" };

test("names are CAPO's, with the zone before the last word", () => {
  expect(singleName(cluster)).toBe("k8s-clusterapi-cluster-default-demo-kubeapi");
  expect(zoneName(cluster, "az1")).toBe("k8s-clusterapi-cluster-default-demo-az1-kubeapi");
  expect(portName(singleName(cluster), apiPort)).toBe("k8s-clusterapi-cluster-default-demo-kubeapi-6443");
  expect(memberName(singleName(cluster), 6443, "cp-1")).toBe("k8s-clusterapi-cluster-default-demo-kubeapi-6443-cp-1");
  expect(balancerDescription(cluster)).toBe("Created by cluster-api-provider-openstack cluster default-demo");
});

test("a name of 255 characters stays; a longer one is cut and told apart by a digest, the same every time", () => {
  const fits = { namespace: "default", name: "n".repeat(255 - "k8s-clusterapi-cluster-default--kubeapi".length) };
  expect(singleName(fits)).toHaveLength(255);
  expect(singleName(fits)).toMatch(/-kubeapi$/);
  const long = { namespace: "default", name: "n".repeat(240) };
  expect(singleName(long)).toHaveLength(255);
  expect(zoneName(long, "az1")).toHaveLength(255);
  expect(new Set([singleName(long), zoneName(long, "az1"), zoneName(long, "az2")]).size).toBe(3);
  expect(zoneName(long, "az1")).toBe(zoneName(long, "az1"));
});

test("a member of a balancer with a long name is still known by its name", () => {
  const balancer = zoneName({ namespace: "default", name: "n".repeat(240) }, "az1");
  expect(isMemberNameOf(balancer, 6443, memberName(balancer, 6443, "cp-1"))).toBe(true);
  expect(isMemberNameOf(singleName(cluster), 6443, "somebody-else")).toBe(false);
});

test("a member's name tells its machine also after its balancer's zone was forgotten", () => {
  for (const balancer of [singleName(cluster), zoneName(cluster, "az9")])
    expect(machineInMemberName(cluster, 6443, memberName(balancer, 6443, "cp-1"))).toBe("cp-1");
  expect(machineInMemberName(cluster, 6443, memberName(singleName(cluster), 8443, "cp-1"))).toBeUndefined();
  expect(
    machineInMemberName({ namespace: "default", name: "dem" }, 6443, memberName(singleName(cluster), 6443, "cp-1")),
  ).toBeUndefined();
  expect(machineInMemberName(cluster, 6443, "somebody-else")).toBeUndefined();
});

test("a port's name is the cluster's also after its balancer's zone was forgotten", () => {
  for (const balancer of [singleName(cluster), zoneName(cluster, "az9")])
    expect(isPortNameIn(cluster, portName(balancer, apiPort))).toBe(true);
  expect(isPortNameIn({ namespace: "default", name: "dem" }, portName(singleName(cluster), apiPort))).toBe(false);
  expect(isPortNameIn(cluster, singleName(cluster))).toBe(false);
  expect(isPortNameIn(cluster, "team-x-kubeapi-6443")).toBe(false);
});

test("a floating IP's description names its owner, whatever the zone, and no other", () => {
  expect(isFloatingIpDescriptionOf("o1", floatingIpDescription("o1", "az1"))).toBe(true);
  expect(isFloatingIpDescriptionOf("o1", floatingIpDescription("o1", undefined))).toBe(true);
  expect(isFloatingIpDescriptionOf("o1", floatingIpDescription("o12", undefined))).toBe(false);
  expect(isFloatingIpDescriptionOf("o1", "Created by cluster-api-provider-openstack cluster default-demo")).toBe(false);
});

test.each([
  ["of a cluster with a long name", { namespace: "default", name: "n".repeat(240) }, "az1"],
  ["of a zone with a long name", cluster, "z".repeat(240)],
  ["that just fits itself", cluster, "z".repeat(255 - zoneName(cluster, "").length - 2)],
])("parts of a balancer %s are known by their names, though these are cut", (_which, owner, zone) => {
  const balancer = zoneName(owner, zone);
  const part = portName(balancer, apiPort);
  expect(part).toHaveLength(255);
  expect(isPortNameOf(balancer, part)).toBe(true);
  expect(isPortNameIn(owner, part)).toBe(true);
  expect(isPortNameOf(zoneName({ namespace: "default", name: "dem" }, zone), part)).toBe(false);
  expect(isPortNameIn({ namespace: "default", name: "dem" }, part)).toBe(false);
  expect(isPortNameOf(balancer, balancer)).toBe(false);
  expect(isPortNameOf(balancer, `${part.slice(0, 244)} of others`)).toBe(false);
});
