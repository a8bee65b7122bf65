// A plan for people, part by part: what concerns the whole object first, then each zone or gateway under its own name.

import type { Plan } from "../../core/plan.ts";

/** `linesOf` words a plan; it is asked once for each part. With one part alone the lines are as they are. */
export function linesByLane(plan: Plan, linesOf: (part: Plan) => readonly string[]): readonly string[] {
  const lanes = [...new Set([...plan.actions, ...plan.waits, ...plan.refusals].map(partOf))].toSorted();
  if (lanes.filter((lane) => lane !== "").length < 2) return linesOf(plan);
  return lanes.flatMap((lane) => {
    const lines = linesOf({
      actions: plan.actions.filter((one) => partOf(one) === lane),
      waits: plan.waits.filter((one) => partOf(one) === lane),
      refusals: plan.refusals.filter((one) => partOf(one) === lane),
    });
    return lane === "" ? lines : [`  ${lane}:`, ...lines.map((line) => `  ${line}`)];
  });
}

/** A lane below another, such as a zone's floating IP, is part of it. */
function partOf({ lane }: { readonly lane?: string }): string {
  return (lane ?? "").split("/")[0] ?? "";
}
