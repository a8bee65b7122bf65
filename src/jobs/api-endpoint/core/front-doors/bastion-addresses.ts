// Addresses of a cluster's bastion, as CAPO left them in the status of its OpenStackCluster: with an access list on, whoever works
// there must still reach the API.

import type { KubeObject } from "../../../../apis/kube/kube-object.ts";
import { canonicalAddress } from "../../../../core/net/ip.ts";

type WithBastion = KubeObject & {
  readonly status?: { readonly bastion?: { readonly ip?: unknown; readonly floatingIP?: unknown } };
};

export function bastionAddresses(object: KubeObject): readonly string[] {
  const { ip, floatingIP } = (object as WithBastion).status?.bastion ?? {};
  const addresses = [ip, floatingIP].flatMap((text) =>
    typeof text === "string" ? (canonicalAddress(text) ?? []) : [],
  );
  return [...new Set(addresses)].toSorted();
}
