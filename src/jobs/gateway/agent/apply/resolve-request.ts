// From a request to the document that it asks for: whole, as a change of the one that is carried, or from a controller that speaks v1.

import { z } from "zod";
import { applyDelta, sameContent } from "../../core/delta/document-delta.ts";
import { documentOfLbaas, type LbaasSettings } from "../../core/lbaas/document-of-lbaas.ts";
import type { CarryProblem } from "../../core/model/agent-answers.ts";
import { compareVersions, type GatewayDocument } from "../../core/model/document.ts";
import type { Carried, Refusal } from "../carried.ts";
import type { CarrierParts } from "./carrier.ts";
import type { ApplyRequest } from "./waiting-request.ts";

export type { LbaasSettings };

export interface Asked {
  readonly document: GatewayDocument;
  readonly unreadable: readonly CarryProblem[];
  readonly api: Carried["api"];
}

interface NotResolved {
  readonly why: Refusal;
  readonly message: string;
}

type ResolveParts = Pick<CarrierParts, "dataplane" | "local"> & { readonly lbaas: LbaasSettings };

export function resolveRequest(
  request: ApplyRequest,
  carried: Carried | undefined,
  { dataplane, local, lbaas }: ResolveParts,
): Asked | NotResolved {
  if (request.kind === "whole") {
    return { document: request.document, unreadable: request.unreadable ?? [], api: "v2" };
  }
  if (request.kind === "delta") return resolveDelta(request, carried, dataplane);
  if (carried?.api === "v2") return { why: "v2-in-use", message: "this gateway is managed through /v2" };
  const version = carried?.asked.version ?? { epoch: 0, generation: 0 };
  const next = { ...version, generation: version.generation + 1 };
  const document = documentOfLbaas(request.config, local.name, next, lbaas);
  // A controller of ch-k8s-lbaas sends the same again and again.
  const isSame = carried !== undefined && sameContent(carried.asked, document);
  return { document: isSame ? carried.asked : document, unreadable: [], api: "v1" };
}

const deltaShape = z.object({
  vrrp: z.unknown().optional(),
  groups: z.unknown().optional(),
  addresses: z.object({ set: z.array(z.unknown()), gone: z.array(z.string()) }),
  forwardings: z.object({ set: z.array(z.unknown()), gone: z.array(z.string()) }),
});

function resolveDelta(
  { base, version, value }: Extract<ApplyRequest, { kind: "delta" }>,
  carried: Carried | undefined,
  dataplane: CarrierParts["dataplane"],
): Asked | NotResolved {
  const before = carried?.asked;
  if (before === undefined || compareVersions(before.version, base) !== 0) {
    return { why: "wrong-base", message: "the change is based on a document that this gateway does not carry" };
  }
  const shape = deltaShape.safeParse(value);
  if (!shape.success) return { why: "invalid", message: "the change has not the shape of one" };
  const { vrrp, groups, addresses, forwardings } = shape.data;
  // What is set is decoded as a document that has nothing else.
  const decoded = dataplane.decode({
    pool: before.pool,
    version,
    vrrp: vrrp ?? before.vrrp,
    groups: groups ?? before.groups,
    addresses: addresses.set,
    forwardings: forwardings.set,
  });
  if (decoded.kind === "malformed") return { why: "invalid", message: decoded.problems.join("; ") };
  const { document, unreadable } = decoded;
  const delta = {
    base,
    version: document.version,
    ...(vrrp === undefined ? {} : { vrrp: document.vrrp }),
    ...(groups === undefined ? {} : { groups: document.groups }),
    addresses: { set: document.addresses, gone: addresses.gone },
    forwardings: { set: document.forwardings, gone: forwardings.gone },
  };
  return { document: applyDelta(before, delta), unreadable, api: "v2" };
}
