// Changes of what nobody else has changed since it was seen: Neutron itself compares revisions where it can (`revision-if-match`). An older
// one is asked again right before the change. Neither is proof against a change of the same moment: Neutron 21 compares once, and forgets
// the condition when its database has it try again because another request was first.

import type { z } from "zod";
import { OpenStackError } from "../../core/openstack/openstack-error.ts";
import type { Neutron } from "../../ports/neutron.ts";
import type { CloudCallOptions, CloudWriteOptions } from "../../ports/openstack.ts";
import { describeSubject, operationOf, type Subject } from "./login/subject.ts";
import { type Call, type ProjectCalls, unlessGone } from "./project-calls.ts";

const ifMatch = "revision-if-match";

export type KnownAliases = (options?: CloudCallOptions) => Promise<ReadonlySet<string>>;

/** What this Neutron can do; it is asked once in a while. */
export function knownAliases(calls: ProjectCalls, extensions: Neutron["extensions"]): KnownAliases {
  return async (options) => {
    const address = (await calls.address("neutron", options)) ?? "";
    return await calls.channel.extensions.of(address, () => extensions(options));
  };
}

interface Kind<Row, Seen> {
  readonly schema: z.ZodType<Row>;
  readonly get: (id: string, options: CloudCallOptions) => Promise<Row>;
  readonly isSame: (row: Row, seen: Seen) => boolean;
}

interface SeenOptions<Seen> extends CloudWriteOptions {
  readonly seen?: Seen;
}

export interface SeenWrites<Row, Seen> {
  change(id: string, call: Call, options: SeenOptions<Seen>): Promise<Row>;
  /** Of one that is gone already: done. */
  remove(id: string, call: Call, options: SeenOptions<Seen>): Promise<void>;
}

export function seenWrites<Row, Seen extends { readonly revisionNumber?: number }>(
  calls: ProjectCalls,
  aliases: KnownAliases,
  { schema, get, isSame }: Kind<Row, Seen>,
): SeenWrites<Row, Seen> {
  /** With the header that has Neutron compare, where it can. */
  async function comparing(call: Call, { seen, ...options }: SeenOptions<Seen>): Promise<Call> {
    if (seen?.revisionNumber === undefined || !(await aliases(options)).has(ifMatch)) return call;
    return { ...call, headers: { "if-match": `revision_number=${seen.revisionNumber}` } };
  }

  /** Where nobody else compares. */
  async function compare({ subject, headers }: Call, id: string, options: SeenOptions<Seen>): Promise<void> {
    const { seen } = options;
    if (seen === undefined || headers !== undefined) return;
    if (!isSame(await get(id, options), seen)) throw changed(subject);
  }

  return {
    async change(id, request, options) {
      const call = await comparing(request, options);
      await compare(call, id, options);
      return await calls.write(call, schema, options);
    },
    async remove(id, request, options) {
      const call = await comparing(request, options);
      // The look before it may find nothing, too.
      await unlessGone(compare(call, id, options).then(() => calls.send(call, options)));
    },
  };
}

function changed(subject: Subject): OpenStackError {
  return new OpenStackError({
    code: "Changed",
    service: subject.service,
    operation: operationOf(subject),
    message: `${describeSubject(subject)}: not sent, because somebody has changed it meanwhile`,
  });
}
