import { expect, test } from "vitest";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Nova } from "../../../../ports/nova.ts";
import { ComputeZones } from "./compute-zones.ts";

const operation = "list availability zones";

function novaThat(listAvailabilityZones: Nova["listAvailabilityZones"]): Nova {
  return { listAvailabilityZones } as Nova;
}

const forbidding = novaThat(() =>
  Promise.reject(new OpenStackError({ code: "Forbidden", service: "nova", operation, message: "forbidden" })),
);
const showing = novaThat(async () => [{ name: "az1", available: true }]);

test("what Nova refuses to some credentials is asked for with others, in the same project", async () => {
  const zones = new ComputeZones();
  const asked = (nova: Nova, sharingKey: string) => zones.get({ nova, sharingKey, nowMs: 0, call: {} });
  expect(await asked(forbidding, "few roles")).toMatchObject({ known: false, reason: "OpenStackForbidden" });
  expect(await asked(showing, "more roles")).toEqual({ known: true, value: ["az1"] });
  expect(await asked(showing, "few roles")).toMatchObject({ known: false });
});
