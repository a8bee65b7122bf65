// A slow or missing Nova holds up nobody who asks for a server's zone. For what is remembered of it see forgetting.test.ts.

import { expect, test } from "vitest";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Nova } from "../../../../ports/nova.ts";
import { ServerZones } from "./server-zones.ts";

/** Which answers of a Nova come at once; and how often it was asked. */
function novaWith(answer: (id: string) => Promise<string>) {
  const asked: string[] = [];
  const getServer: Nova["getServer"] = async (id) => {
    asked.push(id);
    return { id, name: id, availabilityZone: await answer(id) };
  };
  return { nova: { getServer } as Nova, asked };
}

const never = () => new Promise<never>(() => undefined);
const waits = async <T>(answer: Promise<T>) => ({ value: await answer });

test("while a slow one is asked the zone is unknown, and its late answer counts for the next observation", async () => {
  let say: (zone: string) => void = () => undefined;
  const { nova, asked } = novaWith(() => new Promise((resolve) => (say = resolve)));
  const zones = new ServerZones();
  expect(await zones.of("a", nova, {}, async () => undefined)("s1")).toBeUndefined();
  expect(await zones.of("a", nova, {}, async () => undefined)("s1")).toBeUndefined();
  say("az1");
  await new Promise((resolve) => void setImmediate(resolve));
  expect(await zones.of("a", nova, {}, waits)("s1")).toBe("az1");
  expect(asked).toEqual(["s1"]);
});

test("one that never answers holds up nobody who asks in time, and an answer in time counts", async () => {
  const silent = novaWith(never);
  expect(await new ServerZones().of("a", silent.nova, {}, async () => undefined)("s1")).toBeUndefined();
  const quick = novaWith(async () => "az1");
  expect(await new ServerZones().of("a", quick.nova, {}, waits)("s1")).toBe("az1");
});

test("a cloud that refuses to tell leaves the zone unknown, and is asked again", async () => {
  const { nova, asked } = novaWith(async () => {
    throw new OpenStackError({ code: "Forbidden", service: "nova", operation: "get server", message: "no" });
  });
  const zones = new ServerZones();
  expect(await zones.of("a", nova, {}, undefined)("s1")).toBeUndefined();
  expect(await zones.of("a", nova, {}, undefined)("s1")).toBeUndefined();
  expect(asked).toHaveLength(2);
});
