// The part of Neutron's API that balancers and gateways need. Lists of floating IPs, ports and routers hold only those of the
// credentials' own project; networks and subnets may be shared by others, so those lists hold whatever the credentials can list.

import type { FloatingIpId, NetworkId, PortId, RouterId, SubnetId } from "../core/openstack/ids.ts";
import type {
  CreateFloatingIp,
  CreatePort,
  FloatingIp,
  FloatingIpQuery,
  FloatingIpSeen,
  Network,
  NetworkQuery,
  Port,
  PortChange,
  PortQuery,
  PortSeen,
  Router,
  Subnet,
  SubnetQuery,
  TaggedResource,
} from "../core/openstack/neutron-objects.ts";
import type { CloudCallOptions, CloudWriteOptions } from "./openstack.ts";

export interface NeutronReader {
  extensions(options?: CloudCallOptions): Promise<ReadonlySet<string>>;
  getNetwork(id: NetworkId, options?: CloudCallOptions): Promise<Network>;
  listNetworks(query: NetworkQuery, options?: CloudCallOptions): Promise<readonly Network[]>;
  getSubnet(id: SubnetId, options?: CloudCallOptions): Promise<Subnet>;
  listSubnets(query: SubnetQuery, options?: CloudCallOptions): Promise<readonly Subnet[]>;
  getPort(id: PortId, options?: CloudCallOptions): Promise<Port>;
  listPorts(query: PortQuery, options?: CloudCallOptions): Promise<readonly Port[]>;
  getRouter(id: RouterId, options?: CloudCallOptions): Promise<Router>;
  listRouters(query: { readonly ids: readonly RouterId[] }, options?: CloudCallOptions): Promise<readonly Router[]>;
  listFloatingIps(query: FloatingIpQuery, options?: CloudCallOptions): Promise<readonly FloatingIp[]>;
}

/** Without `seen` it is a change whatever has become of the floating IP. */
export interface FloatingIpWriteOptions extends CloudWriteOptions {
  /**
   * Fails with `Changed`, and nothing is done, when anybody has changed the floating IP since it was like this. A Neutron that cannot tell
   * (no `revision-if-match`) is asked once more before the change whether it is where it was. Neither holds against a change of the same
   * moment: of several that name the same revision more than one may be made, and the last one stands.
   */
  readonly seen?: FloatingIpSeen;
}

/** Without `seen` it is a change whatever has become of the port. */
export interface PortWriteOptions extends CloudWriteOptions {
  /**
   * Fails with `Changed`, and nothing is done, when anybody has changed the port since it was like this; a change to what the port is
   * already is done all the same. The port that a change answers may have a revision behind its own: whoever goes on from it and fails
   * reads it again. A Neutron that cannot tell (no `revision-if-match`) is asked once more before the change whether the port is as it was.
   * Of two changes at the same moment both may be made, the later one over the earlier: Neutron then forgets the condition. So one
   * process makes its changes of a port one after the other, and everybody looks again later.
   */
  readonly seen?: PortSeen;
}

export interface Neutron extends NeutronReader {
  createPort(wanted: CreatePort, options?: CloudWriteOptions): Promise<Port>;
  updatePort(id: PortId, change: PortChange, options?: PortWriteOptions): Promise<Port>;
  /** Of one that is gone already: done. A floating IP that was attached to it stays, attached to nothing. */
  deletePort(id: PortId, options?: PortWriteOptions): Promise<void>;
  createFloatingIp(wanted: CreateFloatingIp, options?: CloudWriteOptions): Promise<FloatingIp>;
  /** `portId: null` detaches. */
  updateFloatingIp(
    id: FloatingIpId,
    change: { readonly portId?: PortId | null; readonly description?: string },
    options?: FloatingIpWriteOptions,
  ): Promise<FloatingIp>;
  /** Of one that is gone already: done. */
  deleteFloatingIp(id: FloatingIpId, options?: FloatingIpWriteOptions): Promise<void>;
  /** All tags of the resource become these. */
  replaceTags(
    resource: TaggedResource,
    id: string,
    tags: readonly string[],
    options?: CloudWriteOptions,
  ): Promise<void>;
}
