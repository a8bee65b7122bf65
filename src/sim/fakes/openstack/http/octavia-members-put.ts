// The batch: all members of a pool in one call, or, with `additive_only`, some more of them.

import { z } from "zod";
import { refuse } from "../cloud-fault.ts";
import { batchMembers } from "../octavia/members.ts";
import { decodeBody } from "./decode-body.ts";
import { memberPost } from "./octavia-member-bodies.ts";
import type { RouteInput } from "./route.ts";

export function membersPut({ cloud, caller, query, body }: RouteInput, poolId: string): void {
  const unknown = [...query.keys()].find((key) => key !== "additive_only");
  if (unknown !== undefined) refuse(400, `Unknown argument: "${unknown}"`);
  const wanted = decodeBody(body, "members", z.array(memberPost));
  batchMembers(cloud, caller, poolId, wanted, query.get("additive_only")?.toLowerCase() === "true");
}
