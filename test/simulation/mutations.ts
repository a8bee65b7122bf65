// Deliberate bugs, each with the checker that has to find it. A simulation that does not find each of them soon is not worth its time.

import { desired } from "./mutations/desired.ts";
import { endpointCloud } from "./mutations/endpoint-cloud.ts";
import { endpointMarks } from "./mutations/endpoint-marks.ts";
import { endpointWays } from "./mutations/endpoint-ways.ts";
import { fencing } from "./mutations/fencing.ts";
import { gateway } from "./mutations/gateway.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { ownership } from "./mutations/ownership.ts";
import { rounds } from "./mutations/rounds.ts";
import { secrets } from "./mutations/secrets.ts";

export const mutations: readonly Mutation[] = [
  ...fencing,
  ...rounds,
  ...desired,
  ...ownership,
  ...secrets,
  ...endpointWays,
  ...endpointMarks,
  ...endpointCloud,
  ...gateway,
];
