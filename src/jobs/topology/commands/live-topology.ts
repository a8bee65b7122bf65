// The topology of a live cluster as a command sees it: read once, without caches. What may not be read is `unknown`.

import { customResourceDefinitions, nodes } from "../../../apis/kube/builtin-kinds.ts";
import type { Kind, KubeObject } from "../../../apis/kube/kube-object.ts";
import { formatProblem } from "../../../apis/text/problem.ts";
import { MainstayError } from "../../../core/errors.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { KubeReader } from "../../../ports/kube.ts";
import { clusterVersionName, clusterVersions } from "../apis/cluster-version.ts";
import { infrastructureName, infrastructures } from "../apis/infrastructure.ts";
import { infrastructureCrd } from "../apis/infrastructure-crd.ts";
import { topologyReports } from "../apis/topology-report.ts";
import { topologyFieldsIn } from "../controller/observe.ts";
import { readDeclaredReplicas } from "../controller/sources.ts";
import type { DeclaredNow, TopologyObserved } from "../core/assess.ts";
import { countNodes } from "../core/fit.ts";

/** The Infrastructure object must be readable; everything else may be missing. */
export async function readLiveTopology(kube: KubeReader): Promise<TopologyObserved> {
  const infrastructure = await kube.get(infrastructures, { name: infrastructureName }).catch(absentInfrastructure);
  const [crd, report, clusterVersion, seen, declaredNow] = await Promise.all([
    find(kube, customResourceDefinitions, infrastructureCrd.metadata.name),
    find(kube, topologyReports, infrastructureName),
    find(kube, clusterVersions, clusterVersionName),
    kube
      .list(nodes)
      .then(({ items }) => countNodes(items))
      .catch(unknownWhenRefused),
    readDeclared(kube),
  ]);
  return { infrastructure, fields: topologyFieldsIn(crd), report, clusterVersion, seen, declaredNow };
}

/** Undefined for an object that is not there; where its kind is not, a word on how to get it. */
export function absentInfrastructure(error: unknown): undefined {
  if (isKubeError(error, "KindNotServed")) {
    throw new MainstayError({
      reason: "KindNotServed",
      message: "the cluster has no kind Infrastructure of config.openshift.io/v1: operators act as for HighlyAvailable",
      hint: "Bring the definition with: mainstay crds install",
      cause: error,
    });
  }
  if (isKubeError(error, "NotFound")) return undefined;
  throw error;
}

async function find<T extends KubeObject>(
  kube: KubeReader,
  kind: Kind<T>,
  name: string,
): Promise<T | "absent" | "unknown"> {
  return await kube.get(kind, { name }).catch((error: unknown) => {
    if (isKubeError(error, "NotFound", "KindNotServed")) return "absent" as const;
    return unknownWhenRefused(error);
  });
}

/** Cluster API objects may describe other clusters than this one, so that only the installer's ConfigMap counts. */
async function readDeclared(kube: KubeReader): Promise<DeclaredNow> {
  try {
    const answer = await readDeclaredReplicas(kube, { clusterApi: false });
    if (answer.found === "nothing") return answer;
    if (answer.found === "invalid")
      return { found: "invalid", message: `${answer.from}: ${answer.problems.map(formatProblem).join(" ")}` };
    return { found: "declared", source: answer.declared.source, replicas: answer.declared.replicas };
  } catch (error) {
    unknownWhenRefused(error);
    return { found: "unknown" };
  }
}

function unknownWhenRefused(error: unknown): "unknown" {
  if (isKubeError(error, "Forbidden")) return "unknown";
  throw error;
}
