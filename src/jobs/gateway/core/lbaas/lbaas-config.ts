// What a controller of ch-k8s-lbaas tells its agents, once it has been checked: `load-balancer-config` with every null an empty list.

export interface LbaasConfig {
  readonly ingress: readonly LbaasIngress[];
  readonly policies: readonly LbaasPolicy[];
  readonly assignments: readonly LbaasAssignment[];
}

export interface LbaasIngress {
  readonly address: string;
  readonly ports: readonly LbaasForward[];
}

export interface LbaasForward {
  readonly protocol: "TCP" | "UDP";
  readonly inboundPort: number;
  readonly destinationPort: number;
  readonly destinations: readonly string[];
}

export interface LbaasPolicy {
  readonly name: string;
  /** Empty: nobody is allowed. */
  readonly allowed: readonly LbaasAllowed[];
}

export interface LbaasAllowed {
  /** Empty: any client. */
  readonly blocks: readonly { readonly allow: string; readonly except: readonly string[] }[];
  /** Empty: any port. */
  readonly ports: readonly LbaasPortFilter[];
}

export interface LbaasPortFilter {
  readonly protocol: "TCP" | "UDP";
  /** Absent: all of the protocol. */
  readonly port?: number;
  readonly endPort?: number;
}

export interface LbaasAssignment {
  /** Of a Pod. */
  readonly address: string;
  readonly policies: readonly string[];
}
