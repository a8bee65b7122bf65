// The promises of the engine, which every job inherits. Liveness (converged within a bound) is judged by the run itself.

import { addsBeforeRemoves } from "./adds-before-removes.ts";
import type { Checker } from "./checker.ts";
import { keyRunsOnce } from "./key-runs-once.ts";
import { lateWritesHarmless } from "./late-writes-harmless.ts";
import { noSecretShown } from "./no-secret-shown.ts";
import { oneLeaderWrites } from "./one-leader-writes.ts";
import { ownOrLeave } from "./own-or-leave.ts";
import { ownWritesSeen } from "./own-writes-seen.ts";
import { plansDeterministic } from "./plans-deterministic.ts";
import { quietWhenConverged } from "./quiet-when-converged.ts";

export const allCheckers: readonly Checker[] = [
  oneLeaderWrites,
  lateWritesHarmless,
  ownOrLeave,
  noSecretShown,
  keyRunsOnce,
  ownWritesSeen,
  plansDeterministic,
  addsBeforeRemoves,
  quietWhenConverged,
];
