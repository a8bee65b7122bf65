import { expect, test } from "vitest";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import { mayStillArrive, tagsUnavailable } from "./cloud-refusals.ts";

const error = (over: object = {}) =>
  new OpenStackError({ code: "Timeout", service: "octavia", operation: "create", message: "no answer", ...over });

test("an error that is told anew keeps its words, its hint and its cause", () => {
  const first = error({ hint: "Wait." });
  const { code, message, hint, cause } = tagsUnavailable(first);
  expect([code, message, hint, cause]).toEqual(["Unsupported", first.message, "Wait.", first]);
  expect(tagsUnavailable(error()).hint).toBe(error().hint);
});

test("what may still arrive is not asked for again before it could have, or before the cloud allows it", () => {
  const least = mayStillArrive(error()).retryAfterMs ?? 0;
  expect(least).toBeGreaterThan(0);
  expect(mayStillArrive(error({ retryAfterMs: 1 })).retryAfterMs).toBe(least);
  expect(mayStillArrive(error({ retryAfterMs: least + 1 })).retryAfterMs).toBe(least + 1);
});
