// A Service as its people want it, and the object that says so.

import { endpointSlices } from "../../../../apis/kube/builtin-kinds.ts";
import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import type { Random } from "../../../../ports/random.ts";
import { chance, pick } from "../../../../sim/time/derive-seed.ts";
import { addressesAnnotation, dedicatedAnnotation, managedAnnotation } from "../../apis/annotations.ts";
import type { Service } from "../../apis/kube-objects.ts";
import { otherClass } from "../gateway-objects.ts";

export interface DesiredService {
  readonly present: boolean;
  readonly type: "LoadBalancer" | "ClusterIP";
  readonly ports: readonly DesiredPort[];
  readonly optedOut: boolean;
  readonly dedicated: boolean;
  readonly local: boolean;
  readonly endpoints: readonly string[];
}

export interface DesiredPort {
  readonly protocol: "TCP" | "UDP";
  readonly port: number;
}

/** What stays the same in the life of a world. */
export interface ServicePlace {
  readonly namespace: string;
  readonly name: string;
  /** Never to be served by us. */
  readonly isForeign?: boolean;
  readonly bad?: "address" | "endpoint" | undefined;
}

const somePorts: readonly DesiredPort[] = [
  { protocol: "TCP", port: 80 },
  { protocol: "TCP", port: 443 },
  { protocol: "UDP", port: 53 },
  { protocol: "TCP", port: 53 },
];
const pods = ["10.2.0.1", "10.2.0.2", "10.2.0.3"];

export function keyOf({ namespace, name }: ServicePlace): string {
  return `${namespace}/${name}`;
}

export function firstDesired(random: Random, present: boolean): DesiredService {
  const dedicated = chance(random, 0.2);
  const base = { present, type: "LoadBalancer", optedOut: false, dedicated, local: chance(random, 0.2) } as const;
  return { ...base, ports: drawPorts(random), endpoints: pods.slice(0, 2) };
}

export function drawPorts(random: Random): readonly DesiredPort[] {
  const first = pick(random, somePorts) ?? { protocol: "TCP", port: 80 };
  const second = chance(random, 0.3) ? pick(random, somePorts) : undefined;
  return second === undefined || second === first ? [first] : [first, second];
}

export function drawEndpoints(random: Random): readonly string[] {
  return pods.filter(() => chance(random, 0.6));
}

/** Wanted, of a kind that we serve. */
export function isServed({ present, type, optedOut }: DesiredService, { isForeign }: ServicePlace): boolean {
  return present && type === "LoadBalancer" && !optedOut && isForeign !== true;
}

export function serviceObject(place: ServicePlace, desired: DesiredService): Service {
  const { namespace, name } = place;
  const annotations = annotationsOf(place, desired);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, annotations, labels: { "example.com/team": "theirs" } },
    spec: { ...specOf(desired), ...(place.isForeign === true ? { loadBalancerClass: otherClass } : {}) },
  };
}

export function annotationsOf({ bad }: ServicePlace, { dedicated, optedOut }: DesiredService) {
  return {
    "example.com/note": "theirs",
    ...(dedicated ? { [dedicatedAnnotation]: "true" } : {}),
    ...(optedOut ? { [managedAnnotation]: "false" } : {}),
    // In no pool of any world.
    ...(bad === "address" ? { [addressesAnnotation]: "198.51.100.1" } : {}),
  };
}

export function specOf({ type, ports, local }: DesiredService) {
  return {
    type,
    ports: ports.map(({ protocol, port }) => ({ name: portName({ protocol, port }), protocol, port })),
    ...(type === "LoadBalancer" ? { externalTrafficPolicy: local ? "Local" : "Cluster" } : {}),
  };
}

function portName({ protocol, port }: DesiredPort): string {
  return `${protocol.toLowerCase()}-${port}`;
}

/** As kube-controller-manager makes it from the Pods behind a Service. */
export function sliceObject({ namespace, name, bad }: ServicePlace, { ports, endpoints }: DesiredService): KubeObject {
  const addresses = bad === "endpoint" ? ["127.0.0.1"] : endpoints;
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: endpointSlices.kind,
    metadata: { name: `${name}-1`, namespace, labels: { "kubernetes.io/service-name": name } },
    addressType: "IPv4",
    endpoints: addresses.map((address, place) => ({
      addresses: [address],
      nodeName: `node-${1 + (place % 2)}`,
      conditions: { ready: true, serving: true, terminating: false },
    })),
    ports: ports.map((port) => ({ name: portName(port), protocol: port.protocol, port: 8_000 + port.port })),
  } as KubeObject;
}
