// Settings of a gateway's kernel that Services depend on, what each should be, and what happens otherwise. The agent tells them, and the
// doctor compares.

export interface KernelSetting {
  readonly name: string;
  /** Values that are good. */
  readonly good: readonly string[];
  /** What is the matter with any other, in words. */
  readonly otherwise: string;
  /** Without it nothing works; else something may be lost in a fail-over. */
  readonly isNeeded: boolean;
  /** Only where the pool has addresses of this family. */
  readonly family?: 4 | 6;
}

export const kernelSettings: readonly KernelSetting[] = [
  {
    name: "net.ipv4.ip_forward",
    good: ["1"],
    otherwise: "the gateway forwards no IPv4 packet",
    isNeeded: true,
    family: 4,
  },
  {
    name: "net.ipv6.conf.all.forwarding",
    good: ["1"],
    otherwise: "the gateway forwards no IPv6 packet",
    isNeeded: true,
    family: 6,
  },
  {
    name: "net.ipv4.conf.all.rp_filter",
    good: ["0", "2"],
    otherwise: "answers that come by another way than the kernel expects are dropped",
    isNeeded: false,
    family: 4,
  },
  {
    name: "net.netfilter.nf_conntrack_tcp_be_liberal",
    good: ["1"],
    otherwise: "connections that another gateway began may break after a fail-over",
    isNeeded: false,
  },
  {
    name: "net.netfilter.nf_conntrack_tcp_loose",
    good: ["1", "2"],
    otherwise: "connections that another gateway began are not taken over",
    isNeeded: false,
  },
];

export const connectionCount = "net.netfilter.nf_conntrack_count";
export const connectionLimit = "net.netfilter.nf_conntrack_max";
