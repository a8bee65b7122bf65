// A plan for people, part by part: what concerns the whole object first, then each zone or gateway under its own name.

import type { Lane, Plan } from "../../core/plan.ts";

/** `linesOf` words a plan; it is asked once for each part. With one part alone the lines are as they are. */
export function linesByLane(plan: Plan, linesOf: (part: Plan) => readonly string[]): readonly string[] {
  const parts = [...new Set([...plan.actions, ...plan.waits, ...plan.refusals].map(partOf))].toSorted();
  if (parts.filter((part) => part !== "").length < 2) return linesOf(plan);
  return parts.flatMap((part) => {
    const lines = linesOf({
      actions: plan.actions.filter((one) => partOf(one) === part),
      waits: plan.waits.filter((one) => partOf(one) === part),
      refusals: plan.refusals.filter((one) => partOf(one) === part),
    });
    return part === "" ? lines : [`  ${part}:`, ...lines.map((line) => `  ${line}`)];
  });
}

/** Empty for the whole object. */
function partOf({ lane }: { readonly lane?: Lane }): string {
  return lane?.part ?? "";
}
