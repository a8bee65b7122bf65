// The contract suite on every server there is.

import { describe } from "vitest";
import { describeLab, labKube } from "../lab.ts";
import { kubeContract } from "./kube.contract.ts";
import { fakeHttp } from "./targets/fake-http.ts";
import { fakeInProcess } from "./targets/fake-in-process.ts";
import { realTarget } from "./targets/real.ts";

for (const target of [fakeInProcess, fakeHttp]) {
  describe(`Kubernetes contract on ${target.name}`, () => kubeContract(target));
}

describeLab("Kubernetes contract on the real API server", labKube, (lab) => kubeContract(realTarget(lab)));
