// OpenStack by the shortest way, for what a test does beside the controller: its own driver takes no part in judging it.

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { OpenStackLab } from "../../lab.ts";

/** Answers are read as far as a test needs them. */
export type Json = Readonly<Record<string, unknown>>;
export type Service = "keystone" | "neutron" | "octavia";
export type Rest = (service: Service, method: string, path: string, body?: unknown) => Promise<Json>;

const passwordCloud = z.object({
  auth: z.object({ username: z.string(), password: z.string(), project_name: z.string() }),
});

/** As one of the people of the lab's clouds.yaml. */
export async function restAs(lab: OpenStackLab, cloud: string): Promise<Rest> {
  const { clouds } = z
    .object({ clouds: z.record(z.string(), z.unknown()) })
    .parse(parse(readFileSync(lab.cloudsYaml, "utf8")));
  const { username, password, project_name } = passwordCloud.parse(clouds[cloud]).auth;
  return await restFor(lab, username, password, project_name);
}

export async function restFor(lab: OpenStackLab, user: string, password: string, project: string): Promise<Rest> {
  const domain = { name: "Default" };
  const auth = {
    identity: { methods: ["password"], password: { user: { name: user, password, domain } } },
    scope: { project: { name: project, domain } },
  };
  const login = await fetch(`${lab.keystone}/auth/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ auth }),
  });
  const token = login.headers.get("x-subject-token");
  await login.body?.cancel();
  if (token === null) throw new Error(`Keystone answers ${login.status} to ${user}`);
  const roots = { keystone: lab.keystone, neutron: `${lab.neutron}/v2.0`, octavia: `${lab.octavia}/v2.0/lbaas` };
  return async (service, method, path, body) => {
    const answer = await fetch(`${roots[service]}${path}`, {
      method,
      headers: { "content-type": "application/json", "x-auth-token": token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${service} ${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  };
}

const row = z.looseObject({ id: z.string(), name: z.string().optional() });
export type Row = z.infer<typeof row>;

export function rowOf(answer: Json, key: string): Row {
  return row.parse(answer[key]);
}

export function rowsOf(answer: Json, key: string): readonly Row[] {
  return z.array(row).parse(answer[key]);
}

/** A field of a row, as text. */
export function text(of: Json | undefined, field: string): string {
  const value = of?.[field];
  return typeof value === "string" ? value : "";
}
