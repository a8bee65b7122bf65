// Who may share an address: Services of one domain. A domain is a text, so that an address needs to remember only one.

import type { SharingPolicy } from "../../apis/gateway-pool.ts";
import type { AddressClaim } from "./claim.ts";

/** What the Service itself says about sharing. */
export function sharingWish({ isDedicated, sharingKey = "", uid }: AddressClaim): string {
  return isDedicated ? alone(uid) : `key ${sharingKey}`;
}

/** What the Service says and the pool's policy together. */
export function sharingDomain(claim: AddressClaim, policy: SharingPolicy): string {
  const wish = sharingWish(claim);
  if (claim.isDedicated || policy === "Never") return alone(claim.uid);
  if (policy === "ByKey") return claim.sharingKey ? wish : alone(claim.uid);
  return policy === "WithinNamespace" ? `in ${claim.namespace} ${wish}` : wish;
}

function alone(uid: string): string {
  return `only ${uid}`;
}
