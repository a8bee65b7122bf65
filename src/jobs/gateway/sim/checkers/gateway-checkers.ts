// The promises of the gateway job.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { GatewaySim } from "../gateway-sim.ts";
import { carriedStays } from "./carried-stays.ts";
import { freedBeforeDeleted } from "./freed-before-deleted.ts";
import { gatewayForeignUntouched } from "./gateway-foreign-untouched.ts";
import { oneAnnouncer } from "./one-announcer.ts";
import { publishedIsCarried } from "./published-is-carried.ts";
import { serviceAddressStays } from "./service-address-stays.ts";
import { troubleIsItsOwn } from "./trouble-is-its-own.ts";

/** A world is made only when something of it is asked for. */
export type SimOf = () => GatewaySim;

export function gatewayCheckers(simOf: SimOf): readonly Checker[] {
  return [
    publishedIsCarried,
    carriedStays,
    freedBeforeDeleted,
    gatewayForeignUntouched,
    oneAnnouncer,
    serviceAddressStays,
    troubleIsItsOwn,
  ].map((checker) => checker(simOf));
}
