// The credentials of a kubeconfig's user: certificates, tokens, token files, passwords, exec plugins, impersonation.
// Credentials in the file win over an exec plugin, as in kubectl.

import type { Clock } from "../../../ports/clock.ts";
import type { ClientCertificate, Credential, Credentials } from "../kubeconfig/connection.ts";
import type { User } from "../kubeconfig/kubeconfig-file.ts";
import type { ExecSource } from "./exec-plugin.ts";
import { fixedText, type RotatingFile, rotatingFile } from "./rotating-file.ts";

export function userCredentials(clock: Clock, name: string, user: User, exec: ExecSource | undefined): Credentials {
  const file = (field: "client-certificate" | "client-key" | "tokenFile") =>
    user[field] === undefined ? undefined : rotatingFile(clock, user[field], `${field} of user "${name}"`);
  const certificate = inline(user["client-certificate-data"]) ?? file("client-certificate");
  const key = inline(user["client-key-data"]) ?? file("client-key");
  // Of a token and a token file the file counts: it is the one that rotates.
  const token = file("tokenFile") ?? (user.token === undefined ? undefined : fixedText("token", user.token));
  const impersonation = impersonationHeaders(user);
  return {
    async current() {
      const ownCertificate = await certificateFrom(certificate, key);
      const ownHeaders = await authorization(user, token);
      const wanted = ownCertificate === undefined || ownHeaders === undefined;
      const plugged: Credential = exec !== undefined && wanted ? await exec.current() : { headers: {} };
      const presented = ownCertificate ?? plugged.certificate;
      return {
        headers: { ...(ownHeaders ?? plugged.headers), ...impersonation },
        ...(presented === undefined ? {} : { certificate: presented }),
      };
    },
    async refresh() {
      const renewed = await Promise.all([token?.reload(), certificate?.reload(), exec?.refresh()]);
      return renewed.some((fresh) => fresh === true);
    },
  };
}

async function authorization(
  user: User,
  token: RotatingFile | undefined,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (token !== undefined) return { authorization: `Bearer ${(await token.read()).trim()}` };
  if (user.username === undefined) return undefined;
  return { authorization: `Basic ${Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64")}` };
}

async function certificateFrom(
  certificate: RotatingFile | undefined,
  key: RotatingFile | undefined,
): Promise<ClientCertificate | undefined> {
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: await certificate.read(), key: await key.read() };
}

function impersonationHeaders(user: User): Readonly<Record<string, string | string[]>> {
  const headers: Record<string, string | string[]> = {};
  if (user.as !== undefined) headers["impersonate-user"] = user.as;
  if (user["as-uid"] !== undefined) headers["impersonate-uid"] = user["as-uid"];
  if (user["as-groups"] !== undefined) headers["impersonate-group"] = [...user["as-groups"]];
  for (const [field, values] of Object.entries(user["as-user-extra"] ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(field.toLowerCase())}`] = [...values];
  }
  return headers;
}

function inline(base64: string | undefined): RotatingFile | undefined {
  return base64 === undefined ? undefined : fixedText("inline", Buffer.from(base64, "base64").toString("utf8"));
}
