// What all requests to Octavia share: their paths, and their names in errors and metrics.

import { present } from "../../core/present.ts";
import type { Subject } from "./login/subject.ts";

export const base = "/v2.0/lbaas";

export function about(verb: Subject["verb"], kind: string, name?: string): Subject {
  return { service: "octavia", verb, kind, ...present({ name }) };
}

export function one(collection: string, id: string): string {
  return `${base}/${collection}/${encodeURIComponent(id)}`;
}

/** `load balancers` is `loadbalancers` in paths and answers. */
export function keyOf(kinds: string): string {
  return kinds.replaceAll(" ", "");
}
