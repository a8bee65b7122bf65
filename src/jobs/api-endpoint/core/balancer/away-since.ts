// Since when balancers have been away (away.ts), as one process has seen it from one look to the next. What is taken down begins anew.

import type { MonotonicMs } from "../../../../core/clock-times.ts";
import { laneKey } from "../../../../core/plan.ts";
import type { Situation } from "../situation/situation.ts";
import type { RoundResult } from "../status/endpoint-condition.ts";
import { isAway, mayHaveBeenTakenDown, takesDown } from "./away.ts";

export interface AwayNow {
  /** Of the balancer. */
  readonly name: string;
  /** In this round. */
  readonly isTakenDown: boolean;
  /** Before this process looked. */
  readonly mayHaveBeenTakenDown: boolean;
}

export function awayNow(situation: Situation, { plan, failures }: RoundResult): readonly AwayNow[] {
  const failed = new Set(failures.map(({ lane }) => laneKey(lane)));
  const torn = plan.actions
    .filter(takesDown)
    .map(({ lane }) => laneKey(lane))
    .filter((lane) => !failed.has(lane));
  return situation.assignment.wanted.flatMap((wanted) => {
    const isTakenDown = torn.includes(laneKey(wanted.lane));
    if (!isTakenDown && !isAway(wanted, situation)) return [];
    return [{ name: wanted.name, isTakenDown, mayHaveBeenTakenDown: mayHaveBeenTakenDown(wanted, situation) }];
  });
}

export type AwayBefore = NonNullable<Situation["observed"]["awaySince"]>;

export function rememberAway(
  before: AwayBefore | undefined,
  away: readonly AwayNow[],
  monotonicMs: MonotonicMs,
): AwayBefore {
  return new Map(
    away.map(({ name, isTakenDown, mayHaveBeenTakenDown: mayHaveBeen }) => {
      const { sinceMs = monotonicMs, wasTakenDown = mayHaveBeen } = before?.get(name) ?? {};
      return [name, isTakenDown ? { sinceMs: monotonicMs, wasTakenDown: true } : { sinceMs, wasTakenDown }] as const;
    }),
  );
}
