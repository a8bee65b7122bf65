// What an OpenStack contract behaviour may use. It never learns which cloud answers: the fake in-process, the fake over HTTP through
// the driver, or the real services.

import type { CloudConfig } from "../../../src/core/openstack/cloud-config.ts";
import type { OpenStackService } from "../../../src/core/openstack/openstack-error.ts";
import type { OpenStack, OpenStackProject } from "../../../src/ports/openstack.ts";

/**
 * Whose credentials: a member's by password, the same member's by application credential (same project); `other`, by
 * password in another project, who must not see or change what the first project has (an administrator's own project
 * will do); and an administrator scoped to the member's project.
 */
export type ProjectKind = "password" | "application-credential" | "other" | "admin";

export interface OpenStackTarget {
  readonly name: string;
  open(): Promise<OpenStackTargetSession>;
}

export interface OpenStackTargetSession {
  /** The cloud's default provider, under whose limits the suite runs. */
  readonly provider: "amphora" | "ovn";
  readonly openStack: OpenStack;
  /** The configuration that `project` uses: suites spoil copies of it (wrong password, no such project, other region). */
  readonly cloud: (kind: ProjectKind) => CloudConfig;
  readonly project: (kind: ProjectKind) => OpenStackProject;
  readonly made: ReadyMade;
  /** Lets that much time go by: virtual time moves, or the real target sleeps. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** A call below the ports, with a valid token of that project: for what no driver of ours would send. */
  readonly raw: (kind: ProjectKind, call: RawCall) => Promise<RawAnswer>;
  readonly faults: TargetFaults;
  /** Removes whatever is left of this session's balancers and floating IPs, and closes it. Never fails for what is gone already. */
  readonly cleanUp: () => Promise<void>;
}

/** Things every target has before a suite begins. Names as in lab/openstack. */
export interface ReadyMade {
  /** External network `public`. */
  readonly externalNetworkId: string;
  /** Network `tenant` of the member's project. */
  readonly networkId: string;
  /** tenant-1, tenant-2, tenant-3: 10.0.N.0/24, all on one router with a gateway in `public`. */
  readonly subnetIds: readonly [string, string, string];
  /** The router of those three. */
  readonly routerId: string;
  /** A network of the member's project, with one IPv4 subnet on no router: a balancer there gets no floating IP. */
  readonly isolated: { readonly networkId: string; readonly subnetId: string };
  /** A network of the member's project that the other project may use, too. */
  readonly shared: { readonly networkId: string; readonly subnetId: string };
  /** Absent where the provider has no flavor. */
  readonly flavor?: { readonly id: string; readonly name: string };
  /** Octavia's own, such as az1, az2, az3, all enabled. Empty where the provider refuses zones. */
  readonly balancerZones: readonly string[];
  /** Present where there is a compute service. */
  readonly compute?: { readonly zones: readonly string[]; readonly serverId: string; readonly serverZone: string };
  /** The member's project and the other one. */
  readonly projectId: string;
  readonly otherProjectId: string;
}

export interface RawCall {
  readonly service: OpenStackService;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the service's root, query included: `/v2.0/lbaas/loadbalancers?limit=1`, `/v3/auth/tokens`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends no X-Auth-Token. */
  readonly anonymous?: boolean;
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded JSON; undefined for an empty body. */
  readonly body: unknown;
}

export type StatusKind = "loadbalancers" | "listeners" | "pools" | "members" | "healthmonitors";

/** Faults that the real lab has, too. */
export interface TargetFaults {
  /** Any provisioning or operating status, set by hand as a provider's agent does. */
  setStatus(
    kind: StatusKind,
    id: string,
    status: { readonly provisioning?: string; readonly operating?: string },
  ): Promise<void>;
  /** The member at this address fails its health checks from now on, or passes them again. Needs a monitor; seen after a few seconds. */
  setMemberDown(member: { readonly address: string; readonly port: number }, down: boolean): Promise<void>;
  /** Limits the project of `other`; undefined restores the default. */
  setQuota(resource: "load_balancer" | "floatingip" | "port", limit: number | undefined): Promise<void>;
  /** Makes every token of these credentials invalid at the server, where the target can: the next call meets a 401. */
  readonly revokeTokens?: (kind: ProjectKind) => Promise<void>;
}
