// The words of the gateway job: reasons that a person may have to act on, and causes of what it does by itself.

import { cause, declareCauses, declareReasons, notice, reason } from "../../../core/reasons.ts";

// biome-ignore format: a table reads best as a table
export const gatewayReasons = declareReasons({
  GatewayPoolInvalid: reason("on-change", "error", "The GatewayPool has errors, or collides with an older one; Mainstay leaves gateways and Services as they are."),
  PoolCredentialsUnusable: reason("backoff", "error", "The credentials for the cloud that a GatewayPool names are missing or cannot be used; its addresses stay as they are."),
  GatewayCredentialsUnusable: reason("backoff", "error", "The Secret with the credentials for a gateway's agent is missing or cannot be used."),
  GatewayUnreachable: reason("backoff", "error", "The agent of a gateway does not answer; the gateway goes on with what it carries."),
  GatewayRefuses: reason("backoff", "error", "The agent of a gateway answers and refuses: the credentials are not its own, or it has a newer document than Mainstay."),
  GatewayApplyFailed: reason("backoff", "error", "A gateway could not apply its document, and goes on with the one before."),
  GatewayNotReady: reason("wait", "warning", "The agent of a gateway answers, and the gateway is not ready to lead."),
  ForwardingNotCarried: reason("wait", "error", "A gateway does not carry a port of a Service, because something about it cannot be carried."),
  PoolExhausted: reason("backoff", "error", "A Service gets no address: the pool has none left for it, or a limit of the pool is reached."),
  RequestedAddressUnavailable: reason("on-change", "error", "A Service asks for an address that it cannot have."),
  ServicePoolAmbiguous: reason("on-change", "error", "Several GatewayPools would serve a Service, and none of them is the default."),
  ServiceAddressChanged: notice("on-change", "warning", "A Service cannot keep the address that is recorded for it, and gets another."),
  ServiceFieldIgnored: notice("on-change", "warning", "A field of a Service works otherwise than people may expect, or not at all."),
  ServiceWrittenByOthers: notice("on-change", "warning", "ch-k8s-lbaas and Mainstay have recorded different addresses for a Service: both are at work."),
  AddressQuarantined: notice("wait", "warning", "Addresses cannot be used again yet, because a gateway that does not answer may still carry them."),
});

// biome-ignore format: a table reads best as a table
export const gatewayCauses = declareCauses({
  PoolUnheld: cause("The GatewayPool does not have Mainstay's finalizer yet; Mainstay adds it before it serves anybody."),
  GatewayPoolDeleted: cause("The GatewayPool is being deleted: Mainstay takes back everything that it gave to Services."),
  AddressNeeded: cause("A Service needs an address and no free one is there; Mainstay creates a port for it."),
  AddressUnmarked: cause("An address that ch-k8s-lbaas made is used by a Service; Mainstay marks it as its own."),
  PublicAddressMissing: cause("An address that clients reach by a floating IP has none; Mainstay gives it one."),
  AddressUnused: cause("No Service and no gateway uses an address any more; Mainstay deletes it."),
  PairsMissing: cause("A gateway's port does not allow all addresses that the gateway carries; Mainstay adds them."),
  PairsUnneeded: cause("A gateway's port allows addresses that it no longer carries, or may not use; Mainstay removes them."),
  ServiceUnrecorded: cause("A Service does not say where its address is recorded; Mainstay writes it before gateways carry it."),
  DocumentOutdated: cause("A gateway does not carry the latest document; Mainstay sends it."),
  GatewayLeft: cause("A gateway was taken out of its pool; Mainstay tells it to carry nothing any more."),
  GatewaysCarryIt: cause("The gateways carry a Service; Mainstay publishes its address."),
  ServiceLeft: cause("A Service is no longer served by the pool; Mainstay takes back what it had."),
  GatewaysAwaited: cause("Gateways do not carry the latest document yet."),
  CloudAwaited: cause("The cloud has not said yet which addresses there are."),
  GraceAwaited: cause("Something in the cloud seems unused; Mainstay deletes it when it still is later."),
});

declare module "../../../core/reasons.ts" {
  interface JobReasons extends Readonly<Record<keyof typeof gatewayReasons, unknown>> {}
  interface JobCauses extends Readonly<Record<keyof typeof gatewayCauses, unknown>> {}
}
