// What is wrong with the object itself, as far as anybody can tell without the cloud. With any of it nothing is made or taken away.

import { isDnsName } from "../../../../apis/text/dns-name.ts";
import { formatProblem } from "../../../../apis/text/problem.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { EndpointObserved } from "../model/observed.ts";

export function problemsOf({ problems = [], intent }: EndpointObserved): readonly Refusal[] {
  const refusals = problems.map(
    (problem): Refusal => ({ reason: "EndpointSpecInvalid", message: formatProblem(problem) }),
  );
  const host = intent.clusterEndpoint?.host || intent.endpoint?.host || "";
  if (intent.mode !== "zones" || isDnsName(host)) return refusals;
  const message =
    host === ""
      ? "zones need controlPlaneEndpoint.host, a DNS name"
      : `controlPlaneEndpoint.host ${host} is not a DNS name: one address cannot stand for many balancers, so this cluster stays as it is`;
  return [...refusals, { reason: "EndpointNotDnsName", message }];
}
