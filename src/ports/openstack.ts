// An OpenStack cloud as Mainstay uses it: the services of one project with one set of credentials. Every call has a deadline, every
// failure is an OpenStackError, and every list is complete and holds only what belongs to the project.

import type { CloudConfig } from "../core/openstack/cloud-config.ts";
import type { Fence } from "./kube.ts";
import type { Neutron } from "./neutron.ts";
import type { Nova } from "./nova.ts";
import type { Octavia } from "./octavia.ts";

export interface CloudCallOptions {
  readonly signal?: AbortSignal;
  /** Upper bound for the whole call, retries included. The driver has a default; a fence can only shorten it. */
  readonly deadlineMs?: number;
}

/** A write without a fence is a write of a command that a person started. */
export interface CloudWriteOptions extends CloudCallOptions {
  readonly fence?: Fence;
}

export interface OpenStack {
  /** Equal configurations share one token; authenticates when first needed, once for all who wait. */
  project(cloud: CloudConfig): OpenStackProject;
}

export interface OpenStackProject {
  /** Authenticates. Fails with `Unauthorized` when the credentials are refused or carry no project. */
  identify(options?: CloudCallOptions): Promise<ProjectIdentity>;
  /** The cloud's own time, as its latest answers tell it. Asks nobody; undefined before the first answer, and where answers do not tell. */
  timeMs(): Promise<number | undefined>;
  readonly octavia: Octavia;
  readonly neutron: Neutron;
  readonly nova: Nova;
}

export interface ProjectIdentity {
  readonly projectId: string;
  /** The one of the catalogue that is used, whether the configuration names it or not. Empty where the catalogue has none. */
  readonly region: string;
  /** Equal for all configurations that reach the same Octavia in the same project: key of what may be shared. */
  readonly endpointKey: string;
  /** Equal for all configurations that share one token: what one of them is told, the others would be told too. No secret is in it. */
  readonly tokenKey: string;
  /** Service types the catalogue has in this region and interface. */
  readonly services: readonly string[];
}
