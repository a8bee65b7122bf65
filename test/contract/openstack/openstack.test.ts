// The contract suite on every cloud there is.

import { describe } from "vitest";
import { describeLab, labOpenStack, labOpenStackOvn } from "../../lab.ts";
import { openStackContract } from "./openstack.contract.ts";
import { realTarget } from "./real-target.ts";
import { fakeHttp } from "./targets/fake-http.ts";
import { fakeInProcess } from "./targets/fake-in-process.ts";

for (const provider of ["amphora", "ovn"] as const) {
  for (const target of [fakeInProcess(provider), fakeHttp(provider)]) {
    describe(`OpenStack contract on ${target.name}`, () => openStackContract(target));
  }
}

describeLab("OpenStack contract on the real services", labOpenStack, (lab) => openStackContract(realTarget(lab)));
describeLab("OpenStack contract on the real services with OVN", labOpenStackOvn, (lab) =>
  openStackContract(realTarget(lab)),
);
