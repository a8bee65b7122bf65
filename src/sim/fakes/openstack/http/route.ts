// What one path of a service does: which call it is, and what it answers. Routes know nothing of tokens, faults or errors.

import type { OpenStackService } from "../../../../core/openstack/openstack-error.ts";
import type { Cloud } from "../cloud.ts";
import type { Caller } from "../keystone/directory.ts";

export interface RouteInput {
  readonly cloud: Cloud;
  readonly caller: Caller;
  /** The parts of the path that the route left open. */
  readonly ids: readonly string[];
  /** The path itself, as links name it. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly service: OpenStackService;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Segments below the service's root; `:` is any one. */
  readonly path: string;
  readonly operation: string;
  readonly handle: (input: RouteInput) => Reply;
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** The ids in the path, or undefined when it is not the route's. */
export function idsIn(pattern: string, path: string): readonly string[] | undefined {
  const wanted = pattern.split("/").filter((part) => part !== "");
  const found = path.split("/").filter((part) => part !== "");
  if (wanted.length !== found.length) return undefined;
  const ids: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(found[index] ?? "");
    if (part === ":") ids.push(value);
    else if (part !== value) return undefined;
  }
  return ids;
}
