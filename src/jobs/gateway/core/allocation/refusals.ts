// What people are told when a Service does not get the address that it asks for, or loses one: the Service, the value, and what to do.

import type { IpFamily } from "../../../../core/net/ip.ts";
import { addressesAnnotation } from "../../apis/annotations.ts";
import type { AddressClaim, AddressNotice, AddressRefusal, RefusalWord } from "./claim.ts";
import type { HeldAddress, Obstacle } from "./held-address.ts";

function refusal({ service }: AddressClaim, why: RefusalWord, message: string, hint: string): AddressRefusal {
  return { service, why, message: `${service}: ${message}`, hint };
}

export function exhausted(claim: AddressClaim, family: IpFamily): AddressRefusal {
  const ports = claim.ports.map(({ protocol, port }) => `${protocol} ${port}`).join(", ");
  return refusal(
    claim,
    "PoolExhausted",
    `the pool has no IPv${family} address left with ${ports} free`,
    "Add addresses to the pool, allow sharing, or delete Services that are not needed.",
  );
}

export function familyNotInPool(claim: AddressClaim, family: IpFamily): AddressRefusal {
  return refusal(
    claim,
    "FamilyNotInPool",
    `the pool has no IPv${family} addresses`,
    `Add some to the pool, or leave IPv${family} out of the Service's ipFamilies.`,
  );
}

export function familyNotAsked(claim: AddressClaim, address: string): AddressRefusal {
  return refusal(
    claim,
    "RequestedFamilyNotAsked",
    `it asks for ${address}, which is not of a family in its ipFamilies`,
    "Ask for an address of its own family, or add the family.",
  );
}

export function outsidePool(claim: AddressClaim, address: string): AddressRefusal {
  return refusal(
    claim,
    "RequestedAddressOutsidePool",
    `it asks for ${address}, which the pool does not have`,
    `Ask for one of the pool's addresses, or remove ${addressesAnnotation} and spec.loadBalancerIP.`,
  );
}

export function taken(claim: AddressClaim, address: string, problem: Obstacle): AddressRefusal {
  return refusal(
    claim,
    "RequestedAddressTaken",
    `it asks for ${address}, ${holderWords(problem)}`,
    "Ask for another address, or use other ports, or the same sharing key.",
  );
}

export function quarantined(claim: AddressClaim, address: string): AddressRefusal {
  return refusal(
    claim,
    "RequestedAddressTaken",
    `it asks for ${address}, which a gateway that does not answer may still carry for another Service`,
    "Wait until the gateway answers, or remove it from the pool.",
  );
}

export function addressLimit(claim: AddressClaim, limit: number): AddressRefusal {
  return refusal(
    claim,
    "AddressLimitReached",
    `it needs another address, and the pool may use ${limit}`,
    "Raise limits.addresses of the pool, or allow sharing.",
  );
}

export function namespaceFull(claim: AddressClaim, limit: number): AddressRefusal {
  return refusal(
    claim,
    "NamespaceLimitReached",
    `the pool serves ${limit} Services of the namespace ${claim.namespace} already`,
    "Raise limits.servicesPerNamespace of the pool, or delete Services that are not needed.",
  );
}

export function addressLost({ service }: AddressClaim, held: HeldAddress, problem: Obstacle): AddressNotice {
  return notice(service, "AddressLost", `it cannot keep ${addressOf(held)}, ${holderWords(problem)}`);
}

export function recordUnknown({ service }: AddressClaim, name: string): AddressNotice {
  return notice(
    service,
    "RecordUnknown",
    `${name} is recorded as its address, and is no address of the pool; it gets another`,
  );
}

export function keptAgainstPolicy({ service }: AddressClaim, held: HeldAddress): AddressNotice {
  return notice(
    service,
    "KeptAgainstPolicy",
    `it keeps ${addressOf(held)}, although the pool's policy would not share it now`,
  );
}

export function familyLeftOut({ service, message, hint }: AddressRefusal): AddressNotice {
  return { service, why: "FamilyLeftOut", message: `${message}; it goes on with its other family. ${hint}` };
}

function notice(service: string, why: AddressNotice["why"], message: string): AddressNotice {
  return { service, why, message: `${service}: ${message}` };
}

function holderWords(problem: Obstacle): string {
  const { service } = problem.holder;
  return problem.kind === "port"
    ? `where ${service} has ${problem.port}`
    : `which ${service} has and does not share with it`;
}

function addressOf({ place }: HeldAddress): string {
  return place.kind === "known"
    ? (place.address.publicAddress ?? place.address.address)
    : (place.requested ?? place.slot);
}
