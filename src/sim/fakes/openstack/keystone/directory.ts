// Who the fake Keystone knows: projects, users and their roles, application credentials, and the tokens it has given out.

import type { OpenStackService } from "../../../../core/openstack/openstack-error.ts";

export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
}

export interface UserRecord {
  readonly id: string;
  readonly name: string;
  password: string;
  /** By project id. */
  readonly roles: Map<string, readonly string[]>;
}

export interface ApplicationCredential {
  readonly id: string;
  readonly name: string;
  readonly userId: string;
  readonly projectId: string;
  readonly secret: string;
  readonly roles: readonly string[];
}

/** Whoever a token stands for. */
export interface Caller {
  readonly userId: string;
  readonly userName: string;
  readonly projectId: string;
  readonly projectName: string;
  readonly roles: readonly string[];
  readonly admin: boolean;
}

export interface TokenRecord {
  readonly id: string;
  /** Absent in a token without a scope. */
  readonly caller?: Caller;
  readonly userId: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly method: "password" | "application_credential" | "token";
  /** Services that have taken it before: they remember for a while, and do not hear of its end. */
  readonly seenBy: Set<OpenStackService>;
  revokedAtMs?: number;
}

export interface Directory {
  readonly projects: Map<string, ProjectRecord>;
  readonly users: Map<string, UserRecord>;
  readonly applicationCredentials: Map<string, ApplicationCredential>;
  readonly tokens: Map<string, TokenRecord>;
}

/** The only domain, under its usual id and name. */
export const domain = { id: "default", name: "Default" };

export function emptyDirectory(): Directory {
  return { projects: new Map(), users: new Map(), applicationCredentials: new Map(), tokens: new Map() };
}
