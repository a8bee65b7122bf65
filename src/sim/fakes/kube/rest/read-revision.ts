// The resource version a single GET may name: any state that is not older.

import { badRequest, versionTooLarge } from "./api-error.ts";
import type { Call } from "./call.ts";

export function checkGetRevision({ info, server }: Call): void {
  const text = info.query.get("resourceVersion") ?? "";
  if (text === "") return;
  if (!/^\d+$/.test(text))
    throw badRequest(`resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
  if (Number(text) > server.store.revision) throw versionTooLarge(Number(text), server.store.revision);
}
