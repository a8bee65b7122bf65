// A refusal about one zone, for two kinds of readers: who sees it alone needs the zone's name, who sees it in that zone's line does not.

import type { Refusal } from "../../../../core/plan.ts";

type WithoutZone = Omit<Refusal, "lane" | "messageInPart">;

export function zoneRefusal(zone: string, { reason, message }: WithoutZone): Omit<Refusal, "lane"> {
  return { reason, message: `zone ${zone}: ${message}`, messageInPart: message };
}
