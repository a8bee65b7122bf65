// A kind that a round cannot do without, and that may not be listed: what is not in its cache is unknown, and never absent. The round ends
// before anything is planned, says what is missing, and is tried again. What cannot be reached for a while counts as it was last seen.

import { type Kind, resourceName } from "../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../core/errors.ts";
import type { Reader } from "../../../engine/feature.ts";

/** Nor may it be missing altogether. */
export function refuseUnlisted(reader: Pick<Reader, "cached">, kind: Kind, unknown: string): void {
  refuseForbidden(reader, kind, unknown);
  const { state } = reader.cached(kind);
  if (state === "synced" || state === "unreachable") return;
  const name = resourceName(kind);
  throw new MainstayError({
    reason: "KindNotServed",
    message: `${name}: they cannot be listed, so ${unknown}`,
    hint: "Install Cluster API; `mainstay doctor` says what is missing.",
  });
}

export function refuseForbidden(reader: Pick<Reader, "cached">, kind: Kind, unknown: string): void {
  if (reader.cached(kind).state !== "forbidden") return;
  const name = resourceName(kind);
  throw new MainstayError({
    reason: "PermissionDenied",
    message: `${name}: they may not be listed, so ${unknown}`,
    hint: `Grant list and watch on ${name}; \`mainstay doctor\` says which rights are missing.`,
  });
}
