import { expect, test } from "vitest";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import { floatingIpHeld, mayStillArrive, tagsUnavailable } from "./cloud-refusals.ts";

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

test("a floating IP that cannot be deleted or detached is named by its address, with who refuses and what to do", () => {
  const refused = error({ code: "Conflict", service: "neutron", message: "delete floating IP f1: in use" });
  const { code, message } = floatingIpHeld("203.0.113.9", "delete", refused);
  expect([code, message]).toEqual([
    "Conflict",
    "floating IP 203.0.113.9: Neutron refuses to delete it: delete floating IP f1: in use; allow it, or delete it yourself (openstack floating ip delete 203.0.113.9); to keep it, take Mainstay's description and tags off it",
  ]);
  expect(floatingIpHeld("203.0.113.9", "detach", refused).message).toContain("unset --port 203.0.113.9");
});

test.each(["Timeout", "Unreachable", "Changed", "TooManyRequests"])(
  "what passes by itself stays as it is: %s",
  (code) => {
    const first = error({ code });
    expect(floatingIpHeld("203.0.113.9", "delete", first)).toBe(first);
  },
);
