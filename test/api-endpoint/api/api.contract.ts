// The API of the api-endpoint job as one suite: the fake and the real API server run it alike.

import { beforeAll, describe } from "vitest";
import { admissionContract } from "./admission.contract.ts";
import { type ApiTarget, installApi } from "./api-world.ts";
import { conversionContract } from "./conversion.contract.ts";
import { definitionContract } from "./definition.contract.ts";
import { misplacedContract } from "./misplaced-fields.contract.ts";
import { samplesContract } from "./samples.contract.ts";

export function apiContract(get: () => ApiTarget): void {
  beforeAll(() => installApi(get()), 60_000);
  describe("the definitions", () => definitionContract(get));
  describe("names of the other version", () => misplacedContract(get));
  describe("the conversion", () => conversionContract(get));
  describe("admission", () => {
    admissionContract(get);
    describe("takes the sample", () => samplesContract(get));
  });
}
