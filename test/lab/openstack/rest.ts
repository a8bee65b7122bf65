// OpenStack by the shortest way, for what a test does beside the controller: its own driver takes no part in judging it. A busy lab turns
// somebody away now and then: what only reads is asked again.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { z } from "zod";
import type { OpenStackLab } from "../../lab.ts";

/** Answers are read as far as a test needs them. */
export type Json = Readonly<Record<string, unknown>>;
export type Service = "keystone" | "neutron" | "octavia";
export type Rest = (service: Service, method: string, path: string, body?: unknown) => Promise<Json>;

export interface Login {
  readonly username: string;
  readonly password: string;
  readonly project_name: string;
}

const mostTries = 8;
const pauseMs = 1_000;

/** What one of the people of the lab's clouds.yaml logs in with. */
export function loginOf({ cloudsYaml }: OpenStackLab, cloud: string): Login {
  const login = z.object({ username: z.string(), password: z.string(), project_name: z.string() });
  const document = z.object({ clouds: z.record(z.string(), z.unknown()) });
  return z.object({ auth: login }).parse(document.parse(parse(readFileSync(cloudsYaml, "utf8"))).clouds[cloud]).auth;
}

export async function restFor(lab: OpenStackLab, { username, password, project_name }: Login): Promise<Rest> {
  const domain = { name: "Default" };
  const auth = {
    identity: { methods: ["password"], password: { user: { name: username, password, domain } } },
    scope: { project: { name: project_name, domain } },
  };
  const login = await patient(() => send(`${lab.keystone}/auth/tokens`, "POST", {}, { auth }));
  const token = login.headers.get("x-subject-token");
  if (token === null) throw new Error(`Keystone answers ${login.status} to ${username}: ${login.text}`);
  const roots = { keystone: lab.keystone, neutron: `${lab.neutron}/v2.0`, octavia: `${lab.octavia}/v2.0/lbaas` };
  return async (service, method, path, body) => {
    const call = () => send(`${roots[service]}${path}`, method, { "x-auth-token": token }, body);
    const { ok, status, text: said } = await (method === "GET" ? patient(call) : call());
    if (!ok) throw new Error(`${service} ${method} ${path}: ${status} ${said}`);
    return said === "" ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(said));
  };
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ok: answer.ok, status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function patient(call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await call();
      if (answer.status < 500 || tries === mostTries) return answer;
    } catch (error) {
      if (tries === mostTries) throw error;
    }
    await sleep(pauseMs);
  }
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
