// Ids of OpenStack's objects. All are texts on the wire; here an id of one kind of object is not taken for one of another, and a text that
// comes from a decoder or a test may become either.

type Id<Of extends string> = string & { readonly idOf?: Of };

export type LoadBalancerId = Id<"load balancer">;
export type ListenerId = Id<"listener">;
export type PoolId = Id<"pool">;
export type HealthMonitorId = Id<"health monitor">;
export type MemberId = Id<"member">;
export type FlavorId = Id<"flavor">;
export type NetworkId = Id<"network">;
export type SubnetId = Id<"subnet">;
export type PortId = Id<"port">;
export type RouterId = Id<"router">;
export type FloatingIpId = Id<"floating IP">;
export type ProjectId = Id<"project">;
export type ServerId = Id<"server">;
