import { expect, test } from "vitest";
import { CloudModel } from "../../../../../test/api-endpoint/model/cloud-model.ts";
import { intent, zonesIntent } from "../../../../../test/api-endpoint/model/endpoint-builders.ts";
import { known } from "../../../../core/known.ts";
import { failureDomains } from "./failure-domains.ts";

const seen = (given: Parameters<typeof intent>[0], zones?: readonly string[]) =>
  failureDomains({
    ...new CloudModel(intent(given)).observe(),
    ...(zones === undefined ? {} : { computeZones: known(zones) }),
  }).map(({ name, controlPlane }) => `${name}${controlPlane ? "" : " (no)"}`);

test("with a mapping only mapped zones take control planes", () => {
  expect(seen(zonesIntent(["az2", "az1"]), ["az3", "az1", "az2"])).toEqual(["az1", "az2", "az3 (no)"]);
});

test("without a mapping the listed ones do, or all, or none", () => {
  expect(seen({ controlPlaneZones: ["az1"] }, ["az1", "az2"])).toEqual(["az1", "az2 (no)"]);
  expect(seen({}, ["az1", "az2"])).toEqual(["az1", "az2"]);
  expect(seen({ controlPlaneOmitsZone: true }, ["az1"])).toEqual(["az1 (no)"]);
});

test("a mapped zone that Nova does not know is one all the same; one that is only listed is not", () => {
  expect(seen(zonesIntent(["az1", "az8"]), ["az1"])).toEqual(["az1", "az8"]);
  expect(seen({ controlPlaneZones: ["az1", "az9"] }, ["az1", "az2"])).toEqual(["az1", "az2 (no)"]);
});

test("without a compute service they come from spec and mapping", () => {
  expect(seen(zonesIntent(["az1"]))).toEqual(["az1"]);
  expect(seen({ controlPlaneZones: ["az7"] })).toEqual(["az7"]);
});
