// What the leading manager says of its configuration, on its Lease: the parts that decide what it does, so that commands can plan as it
// would. Neither paths nor addresses are among them, and a configuration holds no secrets. It bears the epoch of the term it belongs to:
// another manager that takes the Lease and says nothing (an older one) is not taken for this one.

import type { KubeObject } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import type { LeaseAnnotations } from "../../engine/lease/leader-lease.ts";
import type { Configuration } from "./configuration.ts";

export const configurationAnnotation = "mainstay.dev/configuration";

export function publishConfiguration(configuration: Configuration): LeaseAnnotations {
  const { namespace, watchFilter, featureGates, guards, controllers, jobs } = configuration;
  const decisive = { namespace, watchFilter, featureGates, guards, controllers, ...jobs };
  return (epoch) => ({ [configurationAnnotation]: JSON.stringify({ epoch, configuration: decisive }) });
}

/** As a configuration file's text, still to be checked; undefined when the manager of this epoch has published none. */
export function publishedText({ metadata }: KubeObject, epoch: number): string | undefined {
  const said = parseJson(metadata.annotations?.[configurationAnnotation] ?? "");
  if (!isRecord(said) || said["epoch"] !== epoch || !isRecord(said["configuration"])) return undefined;
  return JSON.stringify(said["configuration"]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
