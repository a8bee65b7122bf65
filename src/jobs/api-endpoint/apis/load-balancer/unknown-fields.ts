// Fields of the block that we do not know. One that is close to a known one is a misspelling: what was asked for would be left out, so it is a
// problem. One that is close to nothing may be another controller's, and only has no effect here.

import { nearest } from "../../../../apis/text/nearest.ts";
import type { Problem } from "../../../../apis/text/problem.ts";
import type { ApiServerLoadBalancer } from "./api-server-load-balancer.ts";

export function unknownFields(block: ApiServerLoadBalancer): readonly string[] {
  return Object.keys(block).filter((name) => !Object.hasOwn(knownFields, name));
}

/** The known field that somebody meant. */
export function meantField(name: string): string | undefined {
  return nearest(name, Object.keys(knownFields));
}

export function misspeltFieldProblems(block: ApiServerLoadBalancer, at: string): readonly Problem[] {
  return unknownFields(block).flatMap((name) => {
    const meant = meantField(name);
    if (meant === undefined) return [];
    const message = `it is not known; did you mean ${meant}?`;
    return [{ where: `${at}.${name}`, message, hint: "Correct its name, or remove it; nothing is made before." }];
  });
}

/** Total by its type: a field that is forgotten here does not compile. */
const knownFields: Readonly<Record<keyof ApiServerLoadBalancer, true>> = {
  enabled: true,
  additionalPorts: true,
  allowedCIDRs: true,
  provider: true,
  network: true,
  subnets: true,
  availabilityZone: true,
  flavor: true,
  monitor: true,
  availabilityZoneSubnets: true,
  allowCrossAZLoadBalancerMembers: true,
};
