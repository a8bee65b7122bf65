// Tokens of the fake Keystone: given for a password, an application credential or another token; refused with 401 for anything else,
// without a word about what was wrong.

import type { CloudAuth, DomainRef, ProjectScope } from "../../../../core/openstack/cloud-config.ts";
import type { OpenStackService } from "../../../../core/openstack/openstack-error.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import { type ApplicationCredential, type Caller, domain, type TokenRecord, type UserRecord } from "./directory.ts";

const defaultLifetimeMs = 3_600_000;
/** What the services' middleware remembers of a token. */
const remembersMs = 300_000;

/** As the port's `CloudAuth`; over the wire a password may come without a scope. */
export type AuthRequest = CloudAuth | (Omit<Extract<CloudAuth, { type: "password" }>, "scope"> & { scope?: never });

export function authenticate(cloud: Cloud, auth: AuthRequest): TokenRecord {
  switch (auth.type) {
    case "password": {
      const user = findUser(cloud, auth.user);
      if (user.password !== auth.password) refuseCredentials();
      return issue(cloud, user, "password", auth.scope === undefined ? undefined : scoped(cloud, user, auth.scope));
    }
    case "application-credential": {
      const credential = findCredential(cloud, auth.credential);
      const user = cloud.directory.users.get(credential.userId) ?? refuseCredentials();
      if (credential.secret !== auth.secret) refuseCredentials();
      return issue(cloud, user, "application_credential", caller(cloud, user, credential.projectId, credential.roles));
    }
    case "token": {
      const known = validToken(cloud, auth.token);
      const user = cloud.directory.users.get(known.userId) ?? refuseCredentials();
      // A token for a token has no scope but the one asked for.
      return issue(cloud, user, "token", auth.scope === undefined ? undefined : scoped(cloud, user, auth.scope));
    }
  }
}

export function validToken(cloud: Cloud, id: string | undefined, service: OpenStackService = "keystone"): TokenRecord {
  const token = id === undefined ? undefined : cloud.directory.tokens.get(id);
  const nowMs = cloud.clock.nowMs();
  if (token === undefined || token.expiresAtMs <= nowMs) refuseCredentials();
  if (token.revokedAtMs !== undefined && (!token.seenBy.has(service) || nowMs >= token.revokedAtMs + remembersMs)) {
    refuseCredentials();
  }
  if (service !== "keystone") token.seenBy.add(service);
  return token;
}

/** Of the user, however they were got, and at once: as if every service had forgotten them. */
export function revokeTokens(cloud: Cloud, userId: string): void {
  for (const [id, token] of cloud.directory.tokens) if (token.userId === userId) cloud.directory.tokens.delete(id);
}

function refuseCredentials(): never {
  refuse(401, "The request you have made requires authentication.");
}

function findUser(cloud: Cloud, wanted: { id: string } | { name: string; domain: DomainRef }): UserRecord {
  if ("id" in wanted) return cloud.directory.users.get(wanted.id) ?? refuseCredentials();
  const named = [...cloud.directory.users.values()].find(({ name }) => name === wanted.name);
  return named !== undefined && isDomain(wanted.domain) ? named : refuseCredentials();
}

function findCredential(
  cloud: Cloud,
  wanted: Extract<CloudAuth, { type: "application-credential" }>["credential"],
): ApplicationCredential {
  const { applicationCredentials } = cloud.directory;
  if ("id" in wanted) return applicationCredentials.get(wanted.id) ?? refuseCredentials();
  const user = findUser(cloud, wanted.user);
  const fits = (each: ApplicationCredential) => each.name === wanted.name && each.userId === user.id;
  return [...applicationCredentials.values()].find(fits) ?? refuseCredentials();
}

function scoped(cloud: Cloud, user: UserRecord, scope: ProjectScope): Caller {
  const { projects } = cloud.directory;
  const project =
    "id" in scope
      ? projects.get(scope.id)
      : [...projects.values()].find(({ name }) => name === scope.name && isDomain(scope.domain));
  const roles = project === undefined ? undefined : user.roles.get(project.id);
  if (project === undefined || roles === undefined) refuseCredentials();
  return caller(cloud, user, project.id, roles);
}

function caller(cloud: Cloud, user: UserRecord, projectId: string, roles: readonly string[]): Caller {
  return {
    userId: user.id,
    userName: user.name,
    projectId,
    projectName: cloud.directory.projects.get(projectId)?.name ?? "",
    roles,
    admin: roles.includes("admin"),
  };
}

function isDomain(wanted: DomainRef): boolean {
  return "id" in wanted ? wanted.id === domain.id : wanted.name === domain.name;
}

function issue(cloud: Cloud, user: UserRecord, method: TokenRecord["method"], who: Caller | undefined): TokenRecord {
  const issuedAtMs = cloud.clock.nowMs();
  const token: TokenRecord = {
    id: cloud.random.uuid().replaceAll("-", ""),
    userId: user.id,
    issuedAtMs,
    expiresAtMs: issuedAtMs + (cloud.options.tokenLifetimeMs ?? defaultLifetimeMs),
    method,
    seenBy: new Set(),
    ...(who === undefined ? {} : { caller: who }),
  };
  cloud.directory.tokens.set(token.id, token);
  return token;
}
