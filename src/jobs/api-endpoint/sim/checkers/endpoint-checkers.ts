// Every promise of the api-endpoint job that the engine's checkers do not watch already.

import type { Checker } from "../../../../sim/checkers/checker.ts";
import type { EndpointSim } from "../endpoint-sim.ts";
import { addressesStay } from "./addresses-stay.ts";
import { claimedFirst } from "./claimed-first.ts";
import { fewCallsWhenQuiet } from "./few-calls-when-quiet.ts";
import { floatingIpStays } from "./floating-ip-stays.ts";
import { foreignUntouched } from "./foreign-untouched.ts";
import { hostStays } from "./host-stays.ts";
import { lastWayStays } from "./last-way-stays.ts";
import { namedAddressesStay } from "./named-addresses-stay.ts";
import { nothingLeft } from "./nothing-left.ts";
import { oneBalancerPerZone } from "./one-balancer-per-zone.ts";
import { oneFloatingIpPerZone } from "./one-floating-ip-per-zone.ts";
import { pausedIsSilent } from "./paused-is-silent.ts";
import { replacedBeforeRemoved } from "./replaced-before-removed.ts";
import { servedUntilForgotten } from "./served-until-forgotten.ts";
import { strayedIsStill } from "./strayed-is-still.ts";

/** The simulated endpoints are made when they are first needed: whoever only asks for names needs none. */
export type SimOf = () => EndpointSim;

export function endpointCheckers(simOf: SimOf): readonly Checker[] {
  return [
    lastWayStays,
    replacedBeforeRemoved,
    servedUntilForgotten,
    foreignUntouched,
    floatingIpStays,
    namedAddressesStay,
    oneFloatingIpPerZone,
    oneBalancerPerZone,
    addressesStay,
    hostStays,
    claimedFirst,
    nothingLeft,
    pausedIsSilent,
    strayedIsStill,
    fewCallsWhenQuiet,
  ].map((checkerOf) => checkerOf(simOf));
}
