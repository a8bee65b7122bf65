// Ports over HTTP: made, changed and deleted. One that somebody has changed since it was seen is left alone. What a Neutron does not list
// among its extensions is not asked of it: some refuse it, some drop it without a word.

import type { CreatePort } from "../../core/openstack/neutron-objects.ts";
import { isSamePort } from "../../core/openstack/port-seen.ts";
import type { Neutron } from "../../ports/neutron.ts";
import type { CloudCallOptions } from "../../ports/openstack.ts";
import type { Subject } from "./login/subject.ts";
import { type KnownAliases, seenWrites } from "./neutron-if-match.ts";
import type { ProjectCalls } from "./project-calls.ts";
import { port } from "./wire/decode-neutron.ts";
import { encodePort, encodePortChange } from "./wire/encode-neutron.ts";
import { wrapped } from "./wire/wire.ts";

const collection = "/v2.0/ports";
const schema = wrapped("port", port);

type PortCalls = Pick<Neutron, "getPort" | "createPort" | "updatePort" | "deletePort">;

export function portCalls(calls: ProjectCalls, aliases: KnownAliases): PortCalls {
  const get = (id: string, options?: CloudCallOptions) =>
    calls.read({ subject: about("get", id), method: "GET", path: pathOf(id) }, schema, options);
  const writes = seenWrites(calls, aliases, { schema, get, isSame: isSamePort });
  return {
    getPort: get,
    async createPort(wanted, options) {
      const asked = needsExtension(wanted) ? await aliases(options) : new Set<string>();
      const body = { port: encodePort(wanted, asked) };
      const subject = about("create", wanted.name || wanted.description);
      return await calls.write({ subject, method: "POST", path: collection, body }, schema, options);
    },
    async updatePort(id, change, options = {}) {
      const fields = encodePortChange(change);
      // It would count as a change.
      if (Object.keys(fields).length === 0) return await get(id, options);
      const body = { port: fields };
      return await writes.change(id, { subject: about("update", id), method: "PUT", path: pathOf(id), body }, options);
    },
    deletePort: (id, options = {}) =>
      writes.remove(id, { subject: about("delete", id), method: "DELETE", path: pathOf(id) }, options),
  };
}

function needsExtension({ tags, hasPortSecurity }: CreatePort): boolean {
  return tags.length > 0 || hasPortSecurity !== undefined;
}

function about(verb: Subject["verb"], name: string): Subject {
  return { service: "neutron", verb, kind: "port", name };
}

function pathOf(id: string): string {
  return `${collection}/${encodeURIComponent(id)}`;
}
