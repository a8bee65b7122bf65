// What somebody wrote into the block that has no effect, or not the one it seems to have. Nothing here is refused.

import { isAddressOrRange } from "../../../../apis/text/address-text.ts";
import { quote } from "../../../../apis/text/problem.ts";
import { type ApiServerLoadBalancer, defaultMonitor, isEnabled, mappingsOf } from "./api-server-load-balancer.ts";
import { meantField, unknownFields } from "./unknown-fields.ts";

export interface BlockContext {
  readonly block: ApiServerLoadBalancer | undefined;
  /** Where the block is. */
  readonly at: string;
  readonly apiPort: number;
}

export function blockWarnings({ block, at, apiPort }: BlockContext): readonly string[] {
  if (block === undefined) return [];
  const zones = mappingsOf(block).length;
  const path = `${at}.availabilityZoneSubnets`;
  const { subnets = [], availabilityZone, allowedCIDRs = [], additionalPorts = [] } = block;
  const when = (holds: boolean, text: string) => (holds ? [text] : []);
  return [
    ...when(zones > 0 && !isEnabled(block), `${path}: no zone gets a balancer, because ${at}.enabled is false`),
    ...when(
      zones > 0 && subnets.length > 0,
      `${at}.subnets is ignored: with availabilityZoneSubnets each zone names its own`,
    ),
    ...when(
      zones > 0 && availabilityZone !== undefined,
      `${at}.availabilityZone is ignored: with availabilityZoneSubnets each balancer has the zone of its entry`,
    ),
    ...when(
      zones === 0 && block.allowCrossAZLoadBalancerMembers === true,
      `${at}.allowCrossAZLoadBalancerMembers has no effect without availabilityZoneSubnets`,
    ),
    ...when(zones === 0 && subnets.length > 1, `${at}.subnets: only the first is used`),
    ...when(
      zones === 0 && subnets.length > 0 && block.network === undefined,
      `${at}.subnets is ignored without ${at}.network`,
    ),
    ...when(additionalPorts.includes(apiPort), `${at}.additionalPorts: ${apiPort} is the API port already`),
    ...allowedCIDRs
      .filter((cidr) => !isAddressOrRange(cidr))
      .map((cidr) => `${at}.allowedCIDRs: ${quote(cidr)} is neither an address nor a range and is left out`),
    ...monitorWarnings(block, at),
    ...unknownFields(block)
      .filter((name) => meantField(name) === undefined)
      .map((name) => `${at}.${name} is not known and has no effect`),
  ];
}

function monitorWarnings({ monitor }: ApiServerLoadBalancer, at: string): readonly string[] {
  const delay = monitor?.delay || defaultMonitor.delay;
  const timeout = monitor?.timeout || defaultMonitor.timeout;
  return timeout >= delay
    ? [`${at}.monitor: a timeout of ${timeout} s should be less than the delay of ${delay} s`]
    : [];
}
