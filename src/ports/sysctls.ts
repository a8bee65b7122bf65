// Settings and counts of the kernel that a gateway's agent reads, and never writes.

export interface Sysctls {
  /** By its name with dots, such as `net.ipv4.ip_forward`. Undefined where this kernel has none, or nobody may read it. */
  read(name: string): Promise<string | undefined>;
}
