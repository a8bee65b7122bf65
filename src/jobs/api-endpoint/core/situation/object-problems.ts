// What is wrong with the object itself, or with its cloud as a whole. With any of it nothing is made or taken away.

import { isDnsName } from "../../../../apis/text/dns-name.ts";
import { formatProblem } from "../../../../apis/text/problem.ts";
import type { Refusal } from "../../../../core/plan.ts";
import type { EndpointObserved } from "../model/observed.ts";
import { isTooOld, tooOldWords } from "../model/provider-features.ts";

export function problemsOf({ problems = [], intent, capabilities }: EndpointObserved): readonly Refusal[] {
  const refusals: readonly Refusal[] = [
    ...problems.map((problem) => ({ reason: "EndpointSpecInvalid", message: formatProblem(problem) }) as const),
    ...(capabilities.known && isTooOld(capabilities.value.version)
      ? [{ reason: "OctaviaTooOld", message: `${tooOldWords(capabilities.value.version)}; nothing is made` } as const]
      : []),
  ];
  const host = intent.clusterEndpoint?.host || intent.endpoint?.host || "";
  if (intent.mode !== "zones" || isDnsName(host)) return refusals;
  const message =
    host === ""
      ? "zones need controlPlaneEndpoint.host, a DNS name"
      : `controlPlaneEndpoint.host ${host} is not a DNS name: one address cannot stand for many balancers, so this cluster stays as it is`;
  return [...refusals, { reason: "EndpointNotDnsName", message }];
}
