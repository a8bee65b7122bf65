// The promises of the engine, which every job inherits. Liveness (converged within a bound) is checked by the run itself.

import { addsBeforeRemoves } from "./adds-before-removes.ts";
import type { Checker } from "./checker.ts";
import { conflictsExplained } from "./conflicts-explained.ts";
import { fewTries } from "./few-tries.ts";
import { foreignFieldsStay } from "./foreign-fields-stay.ts";
import { keyRunsOnce } from "./key-runs-once.ts";
import { lateWritesHarmless } from "./late-writes-harmless.ts";
import { noSecretShown } from "./no-secret-shown.ts";
import { oneLeaderWrites } from "./one-leader-writes.ts";
import { ownOrLeave } from "./own-or-leave.ts";
import { ownWritesSeen } from "./own-writes-seen.ts";
import { plansDeterministic } from "./plans-deterministic.ts";
import { quietWhenConverged } from "./quiet-when-converged.ts";
import { writesChangeSomething } from "./writes-change-something.ts";

export const allCheckers: readonly Checker[] = [
  oneLeaderWrites,
  lateWritesHarmless,
  ownOrLeave,
  foreignFieldsStay,
  noSecretShown,
  keyRunsOnce,
  conflictsExplained,
  ownWritesSeen,
  plansDeterministic,
  addsBeforeRemoves,
  quietWhenConverged,
  writesChangeSomething,
  fewTries,
];
