// Deliberate bugs, each with the checker that has to find it. A simulation that does not find each of them soon is not worth its time.

import { endpoint } from "./mutations/endpoint.ts";
import { fencing } from "./mutations/fencing.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { ownership } from "./mutations/ownership.ts";
import { rounds } from "./mutations/rounds.ts";
import { secrets } from "./mutations/secrets.ts";
import { wishes } from "./mutations/wishes.ts";

export const mutations: readonly Mutation[] = [...fencing, ...rounds, ...wishes, ...ownership, ...secrets, ...endpoint];
