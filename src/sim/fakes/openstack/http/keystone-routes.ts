// Keystone over HTTP: tokens given, shown and revoked.

import { z } from "zod";
import type { DomainRef } from "../../../../core/openstack/cloud-config.ts";
import type { OpenStackService } from "../../../../core/openstack/openstack-error.ts";
import type { Cloud } from "../cloud.ts";
import { refuse } from "../cloud-fault.ts";
import { type AuthRequest, authenticate, validToken } from "../keystone/authenticate.ts";
import { authUrlOf, endpointOf, regionOf, servicesOf, serviceTypes } from "../keystone/catalogue.ts";
import { domain, type TokenRecord } from "../keystone/directory.ts";
import type { Reply } from "./route.ts";

const domainRef: z.ZodType<DomainRef> = z.union([
  z.object({ id: z.string() }).transform(({ id }) => ({ id })),
  z.object({ name: z.string() }).transform(({ name }) => ({ name })),
]);
const named = z.object({ name: z.string(), domain: domainRef });
const known = z.object({ id: z.string() });
const person = z.union([known, named]);

const authBody = z.object({
  auth: z.object({
    identity: z.union([
      z.object({
        methods: z.tuple([z.literal("password")]),
        password: z.object({ user: z.intersection(person, z.object({ password: z.string() })) }),
      }),
      z.object({
        methods: z.tuple([z.literal("application_credential")]),
        application_credential: z.intersection(
          z.union([known, z.object({ name: z.string(), user: person })]),
          z.object({ secret: z.string() }),
        ),
      }),
      z.object({ methods: z.tuple([z.literal("token")]), token: known }),
    ]),
    scope: z.object({ project: z.union([known, named]) }).optional(),
  }),
});

export interface KeystoneInput {
  readonly cloud: Cloud;
  readonly method: string;
  /** Below /identity. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function keystoneReply({ cloud, method, path, headers, body }: KeystoneInput): Reply {
  if (path === "" || path === "/") return { status: 300, body: { versions: { values: [version(cloud)] } } };
  if (path === "/v3" || path === "/v3/") return { status: 200, body: { version: version(cloud) } };
  if (path !== "/v3/auth/tokens") refuse(404, "(http.client.NOT_FOUND) The requested path is not here.");
  if (method === "POST") return tokenReply(cloud, authenticate(cloud, decodeAuth(body)), 201);
  validToken(cloud, headers["x-auth-token"]);
  const subject = headers["x-subject-token"];
  const token = subject === undefined ? undefined : cloud.directory.tokens.get(subject);
  if (token === undefined || token.revokedAtMs !== undefined) refuse(404, "Could not find token.");
  if (method === "GET") return tokenReply(cloud, token, 200);
  token.revokedAtMs = cloud.clock.nowMs();
  return { status: 204 };
}

function version(cloud: Cloud): unknown {
  return { id: "v3.14", status: "stable", links: [{ rel: "self", href: `${authUrlOf(cloud)}/` }] };
}

function decodeAuth(body: unknown): AuthRequest {
  const decoded = authBody.safeParse(body);
  if (!decoded.success) return refuse(400, "Invalid input for auth");
  const { identity, scope } = decoded.data.auth;
  if ("password" in identity) {
    const { password, ...user } = identity.password.user;
    return { type: "password", user, password, ...(scope === undefined ? {} : { scope: scope.project }) };
  }
  if ("application_credential" in identity) {
    const { secret, ...credential } = identity.application_credential;
    if (scope !== undefined) refuse(401, "The request you have made requires authentication.");
    return { type: "application-credential", credential, secret };
  }
  return { type: "token", token: identity.token.id, ...(scope === undefined ? {} : { scope: scope.project }) };
}

function tokenReply(cloud: Cloud, token: TokenRecord, status: number): Reply {
  const { caller, method, issuedAtMs, expiresAtMs, userId } = token;
  const user = { id: userId, name: cloud.directory.users.get(userId)?.name ?? "", domain };
  const scoped =
    caller === undefined
      ? {}
      : {
          project: { id: caller.projectId, name: caller.projectName, domain },
          roles: caller.roles.map((name) => ({ id: name, name })),
          catalog: servicesOf(cloud).map((service) => catalogueEntry(cloud, service)),
        };
  const times = { issued_at: new Date(issuedAtMs).toISOString(), expires_at: new Date(expiresAtMs).toISOString() };
  return {
    status,
    headers: { "x-subject-token": token.id, vary: "X-Auth-Token" },
    body: { token: { methods: [method], user, ...times, ...scoped } },
  };
}

function catalogueEntry(cloud: Cloud, service: OpenStackService): unknown {
  const region = regionOf(cloud);
  return {
    id: service,
    name: service,
    type: serviceTypes[service],
    endpoints: ["public", "internal", "admin"].map((face) => ({
      id: `${service}-${face}`,
      interface: face,
      region,
      region_id: region,
      url: endpointOf(cloud, service),
    })),
  };
}
