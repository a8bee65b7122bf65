// Keystone v3: credentials in, a token with its project and catalogue out.

import { z } from "zod";
import type { CloudAuth, CloudConfig } from "../../../core/openstack/cloud-config.ts";
import { OpenStackError } from "../../../core/openstack/openstack-error.ts";
import { present } from "../../../core/present.ts";
import { unreadable } from "../errors.ts";
import { type Channel, exchange } from "../exchange.ts";
import { withRetries } from "../retry.ts";
import { type Catalogue, isKnownType } from "./catalogue.ts";
import { redactorOf, secretsOf } from "./secrets.ts";
import { describeSubject, operationOf, type Subject } from "./subject.ts";

export interface IssuedToken {
  readonly token: string;
  readonly projectId: string;
  readonly catalogue: Catalogue;
  /** From Keystone's own times where possible, so that a wrong clock here does no harm. */
  readonly lifetimeMs: number;
}

export type Login = Pick<CloudConfig, "authUrl" | "auth" | "caCertificate" | "verifyTls">;

const tokenSchema = z.object({
  token: z.object({
    expires_at: z.string(),
    issued_at: z.string(),
    project: z.object({ id: z.string() }).optional(),
    catalog: z
      .array(
        z.object({
          type: z.string(),
          endpoints: z
            .array(
              z.object({
                interface: z.string(),
                url: z.string(),
                region: z.string().nullish(),
                region_id: z.string().nullish(),
              }),
            )
            .catch([]),
        }),
      )
      .optional(),
  }),
});

const loginDeadlineMs = 30_000;

/** Not bound to any caller: several may wait for it. */
export async function authenticate(channel: Channel, login: Login): Promise<IssuedToken> {
  const { auth, caCertificate, verifyTls } = login;
  const subject = loginSubject(login);
  const redact = redactorOf(secretsOf(auth));
  const trust = { verifyTls, ...present({ caCertificate }) };
  const url = `${keystoneRoot(login.authUrl)}/v3/auth/tokens`;
  // A login changes nothing, so that it is retried like a read.
  const task = { subject, write: false, options: { deadlineMs: loginDeadlineMs }, redact: () => redact };
  const own = ownToken(auth);
  // For a token without a named project Keystone would issue one without any project, so that the given token is used itself.
  const request =
    own === undefined
      ? ({ method: "POST", body: loginBody(auth) } as const)
      : ({ method: "GET", token: own, headers: { "x-subject-token": own } } as const);
  const answer = await withRetries(channel, task, (attempt) =>
    exchange(channel, subject, { ...request, url, trust, ...attempt }),
  );
  const decoded = tokenSchema.safeParse(parseJson(answer.text)).data?.token;
  const token = own ?? answer.headers["x-subject-token"];
  if (decoded === undefined || token === undefined) {
    throw unreadable(subject, answer.status, "Keystone's answer holds no token", redact);
  }
  if (decoded.project === undefined) throw withoutProject(subject);
  const sinceMs = own === undefined ? Date.parse(decoded.issued_at) : channel.clock.nowMs();
  const lifetimeMs = Date.parse(decoded.expires_at) - sinceMs;
  return {
    token,
    projectId: decoded.project.id,
    catalogue: flatten(decoded.catalog ?? []),
    lifetimeMs: Number.isFinite(lifetimeMs) ? Math.max(0, lifetimeMs) : 0,
  };
}

/** One login serves several cloud names, so that errors name the address that they share, without a password in it. */
export function loginSubject({ authUrl }: Login): Subject {
  const name = keystoneRoot(authUrl).replace(/^(https?:\/\/)[^/]*@/, "$1");
  return { service: "keystone", verb: "authenticate", kind: "cloud", name };
}

/** The address may be written with or without a version, and with or without a slash at the end. */
export function keystoneRoot(authUrl: string): string {
  return authUrl.replace(/\/+$/, "").replace(/\/v(2\.0|3)$/, "");
}

function ownToken(auth: CloudAuth): string | undefined {
  return auth.type === "token" && auth.scope === undefined ? auth.token : undefined;
}

function loginBody(auth: CloudAuth): unknown {
  const scope =
    auth.type === "application-credential" || auth.scope === undefined ? {} : { scope: { project: auth.scope } };
  return { auth: { identity: identityOf(auth), ...scope } };
}

function identityOf(auth: CloudAuth): unknown {
  switch (auth.type) {
    case "password":
      return { methods: ["password"], password: { user: { ...auth.user, password: auth.password } } };
    case "token":
      return { methods: ["token"], token: { id: auth.token } };
    case "application-credential":
      // Its project is its own: Keystone refuses one that is named beside it.
      return {
        methods: ["application_credential"],
        application_credential: { ...auth.credential, secret: auth.secret },
      };
  }
}

function flatten(services: NonNullable<z.infer<typeof tokenSchema>["token"]["catalog"]>): Catalogue {
  // A large cloud's catalogue holds hundreds of others, and there may be thousands of sessions.
  const known = services.filter(({ type }) => isKnownType(type));
  return known.flatMap(({ type, endpoints }) =>
    endpoints.map((endpoint) => ({
      type,
      interface: endpoint.interface,
      region: endpoint.region_id ?? endpoint.region ?? "",
      url: endpoint.url,
    })),
  );
}

function withoutProject(subject: Subject): OpenStackError {
  return new OpenStackError({
    code: "Unauthorized",
    service: "keystone",
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: the token is for no project`,
    hint: "Name a project in the clouds.yaml, or use an application credential of one.",
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
