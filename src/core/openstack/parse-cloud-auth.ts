// Who logs in, from a clouds.yaml entry: password, application credential or token, each with the project it is for. Mainstay
// works in one project, so credentials that name none are refused here already.

import type { Problem } from "../../apis/text/problem.ts";
import { present } from "../present.ts";
import type { CloudAuth, DomainRef, ProjectScope } from "./cloud-config.ts";
import type { CloudFields } from "./cloud-fields.ts";

type AuthType = CloudAuth["type"];

const authTypes: Readonly<Record<string, AuthType>> = {
  password: "password",
  v3password: "password",
  token: "token",
  v3token: "token",
  v3applicationcredential: "application-credential",
  application_credential: "application-credential",
};

interface Parts {
  readonly entry: CloudFields;
  readonly auth: CloudFields;
}

/** Undefined when something is wrong with it; `problems` then says what. */
export function parseCloudAuth({ entry, auth }: Parts, problems: Problem[]): CloudAuth | undefined {
  for (const name of ["system_scope", "trust_id"]) {
    if (auth.has(name))
      problems.push({ where: auth.where(name), message: "it is not supported", hint: "Use a project." });
  }
  const type = authType({ entry, auth }, problems);
  if (type === "application-credential") return applicationCredential(auth, problems);
  if (type === "token") return byToken(auth, problems);
  return type === undefined ? undefined : byPassword(auth, problems);
}

function authType({ entry, auth }: Parts, problems: Problem[]): AuthType | undefined {
  const named = entry.text("auth_type");
  if (named !== undefined) {
    const type = Object.hasOwn(authTypes, named) ? authTypes[named] : undefined;
    if (type !== undefined) return type;
    problems.push({
      where: entry.where("auth_type"),
      message: "it is not supported",
      hint: `Choose one of ${Object.keys(authTypes).join(", ")}.`,
    });
    return undefined;
  }
  if (auth.has("application_credential_id") || auth.has("application_credential_name")) return "application-credential";
  return auth.has("token") && !auth.has("password") ? "token" : "password";
}

function byPassword(auth: CloudFields, problems: Problem[]): CloudAuth | undefined {
  const user = userOf(auth, problems);
  const password = required(auth, "password", problems);
  const scope = scopeOf(auth, problems);
  if (scope === undefined && !hasProject(auth)) {
    problems.push({
      where: auth.where("project_id"),
      message: "no project is named",
      hint: "Give project_id, or project_name with project_domain_name: Mainstay works in one project.",
    });
  }
  if (user === undefined || password === undefined || scope === undefined) return undefined;
  return { type: "password", user, password, scope };
}

function byToken(auth: CloudFields, problems: Problem[]): CloudAuth | undefined {
  const token = required(auth, "token", problems);
  const scope = scopeOf(auth, problems);
  if (token === undefined) return undefined;
  return { type: "token", token, ...present({ scope }) };
}

function applicationCredential(auth: CloudFields, problems: Problem[]): CloudAuth | undefined {
  const secret = required(auth, "application_credential_secret", problems);
  const id = auth.text("application_credential_id");
  const name = auth.text("application_credential_name");
  if (id !== undefined) {
    return secret === undefined ? undefined : { type: "application-credential", credential: { id }, secret };
  }
  if (name === undefined) {
    problems.push({
      where: auth.where("application_credential_id"),
      message: "it is not set",
      hint: "Give it, or application_credential_name with the user it belongs to.",
    });
    return undefined;
  }
  const user = userOf(auth, problems);
  if (user === undefined || secret === undefined) return undefined;
  return { type: "application-credential", credential: { name, user }, secret };
}

function userOf(
  auth: CloudFields,
  problems: Problem[],
): { readonly id: string } | { readonly name: string; readonly domain: DomainRef } | undefined {
  const id = auth.text("user_id");
  if (id !== undefined) return { id };
  const name = auth.first("username", "user_name");
  if (name === undefined) {
    problems.push({ where: auth.where("username"), message: "it is not set", hint: "Give username or user_id." });
    return undefined;
  }
  const domain = domainOf(auth, "user");
  if (domain !== undefined) return { name, domain };
  problems.push({
    where: auth.where("user_domain_name"),
    message: "the domain of the user is not set",
    hint: "Give user_domain_name or user_domain_id; it is often Default.",
  });
  return undefined;
}

function hasProject(auth: CloudFields): boolean {
  return ["project_id", "project_name", "tenant_id", "tenant_name"].some((name) => auth.has(name));
}

function scopeOf(auth: CloudFields, problems: Problem[]): ProjectScope | undefined {
  const id = auth.first("project_id", "tenant_id");
  if (id !== undefined) return { id };
  const name = auth.first("project_name", "tenant_name");
  if (name === undefined) return undefined;
  const domain = domainOf(auth, "project") ?? domainOf(auth, "user");
  if (domain !== undefined) return { name, domain };
  problems.push({
    where: auth.where("project_domain_name"),
    message: "the domain of the project is not set",
    hint: "Give project_domain_name or project_domain_id; it is often Default.",
  });
  return undefined;
}

function domainOf(auth: CloudFields, whose: "user" | "project"): DomainRef | undefined {
  const id = auth.text(`${whose}_domain_id`);
  if (id !== undefined) return { id };
  const name = auth.text(`${whose}_domain_name`);
  if (name !== undefined) return { name };
  const fallbackId = auth.first("domain_id", "default_domain_id", "default_domain");
  if (fallbackId !== undefined) return { id: fallbackId };
  const fallbackName = auth.first("domain_name", "default_domain_name");
  return fallbackName === undefined ? undefined : { name: fallbackName };
}

/** A secret: reported as missing when it is, never shown. */
function required(auth: CloudFields, name: string, problems: Problem[]): string | undefined {
  const value = auth.text(name);
  if (value === undefined && !auth.has(name)) {
    problems.push({ where: auth.where(name), message: "it is not set", hint: "Give it." });
  }
  return value;
}
