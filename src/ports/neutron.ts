// The part of Neutron's API that balancers and gateways need. Lists of floating IPs, ports and routers hold only those of the
// credentials' own project; networks and subnets may be shared by others, so those lists hold whatever the credentials can list.

import type { FloatingIpId, NetworkId, PortId, RouterId, SubnetId } from "../core/openstack/ids.ts";
import type {
  CreateFloatingIp,
  FloatingIp,
  FloatingIpQuery,
  Network,
  NetworkQuery,
  Port,
  PortQuery,
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
  listPorts(query: PortQuery, options?: CloudCallOptions): Promise<readonly Port[]>;
  getRouter(id: RouterId, options?: CloudCallOptions): Promise<Router>;
  listRouters(query: { readonly ids: readonly RouterId[] }, options?: CloudCallOptions): Promise<readonly Router[]>;
  listFloatingIps(query: FloatingIpQuery, options?: CloudCallOptions): Promise<readonly FloatingIp[]>;
}

export interface Neutron extends NeutronReader {
  createFloatingIp(wanted: CreateFloatingIp, options?: CloudWriteOptions): Promise<FloatingIp>;
  /** `portId: null` detaches. */
  updateFloatingIp(
    id: FloatingIpId,
    change: { readonly portId?: PortId | null; readonly description?: string },
    options?: CloudWriteOptions,
  ): Promise<FloatingIp>;
  /** Of one that is gone already: done. */
  deleteFloatingIp(id: FloatingIpId, options?: CloudWriteOptions): Promise<void>;
  /** All tags of the resource become these. */
  replaceTags(
    resource: TaggedResource,
    id: string,
    tags: readonly string[],
    options?: CloudWriteOptions,
  ): Promise<void>;
}
