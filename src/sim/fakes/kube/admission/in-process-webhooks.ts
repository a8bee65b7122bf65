// Webhooks of a program in the same process: the fake API server asks a function instead of a socket. Question and answer still go
// through JSON, so that nothing passes which could not pass over a wire.

import type { Json } from "../json.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";
import type { CallWebhook } from "./webhook-call.ts";

/** `answers`: by the path of the webhook's URL or Service. */
export function inProcessWebhooks(answers: Readonly<Record<string, (review: unknown) => object>>): CallWebhook {
  return async ({ clientConfig, body }) => {
    const { url } = clientConfig;
    const path = typeof url === "string" ? new URL(url).pathname : stringAt(objectAt(clientConfig, "service"), "path");
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (answer === undefined) throw new Error(`Post "${path}": nothing answers there`);
    return JSON.parse(JSON.stringify(answer(JSON.parse(JSON.stringify(body))))) as Json;
  };
}
