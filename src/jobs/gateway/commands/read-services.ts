// What commands read of a cluster for the gateway job. Who may not list EndpointSlices or Nodes is told less, and why.

import { endpointSlices, nodes, services } from "../../../apis/kube/builtin-kinds.ts";
import { formatRef, type Kind, type KubeObject, refOf } from "../../../apis/kube/kube-object.ts";
import { nearest } from "../../../apis/text/nearest.ts";
import { invalid } from "../../../cli/invalid-input.ts";
import { MainstayError } from "../../../core/errors.ts";
import { isKubeError } from "../../../core/kube-error.ts";
import type { RelatedThing } from "../../../core/views/picture.ts";
import { listEverything } from "../../../engine/round/list-everything.ts";
import type { KubeReader, Selection } from "../../../ports/kube.ts";
import { type GatewayPool, gatewayPools } from "../apis/gateway-pool.ts";
import type { Service } from "../apis/kube-objects.ts";

export interface ServiceName {
  readonly namespace?: string;
  /** Absent: all. */
  readonly name?: string;
}

export function parseServiceName(text: string | undefined, flag: string | undefined): ServiceName {
  if (text === undefined) return flag === undefined ? {} : { namespace: flag };
  const [first = "", second, ...more] = text.split("/");
  const [namespace, name] = second === undefined ? [flag, first] : [first, second];
  if (name === "" || namespace === "" || more.length > 0)
    throw invalid("<service>", `"${text}" does not name a Service`, "Write <name> or <namespace>/<name>.");
  if (flag !== undefined && namespace !== flag)
    throw invalid("--namespace", `"${flag}" is given for ${text}, which is in ${namespace}`, "Name one namespace.");
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

export async function readPools(kube: KubeReader): Promise<readonly GatewayPool[]> {
  return await listEverything(kube, gatewayPools);
}

/** Those of type LoadBalancer, and others that bear a trace of it only by name. */
export async function readServices(kube: KubeReader, { namespace, name }: ServiceName): Promise<readonly Service[]> {
  const selection: Selection = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
  };
  const found = (await listEverything(kube, services, selection)) as readonly Service[];
  return name === undefined ? found.filter(({ spec }) => spec?.type === "LoadBalancer") : found;
}

export async function noSuchService(kube: KubeReader, wanted: ServiceName): Promise<MainstayError> {
  const all = await readServices(kube, {}).catch(() => []);
  const named = [wanted.namespace, wanted.name].flatMap((part) => part ?? []).join("/");
  const refs = all.map((service) => formatRef(refOf(service)));
  const namesake = refs.filter((ref) => ref.endsWith(`/${wanted.name}`));
  const alike =
    nearest(named, refs) ??
    nearest(
      wanted.name ?? "",
      all.map(({ metadata }) => metadata.name),
    );
  const meant = namesake.length > 0 ? namesake.slice(0, 3).join(" or ") : alike;
  return new MainstayError({
    reason: "ObjectNotFound",
    message: `there is no Service ${named} of type LoadBalancer`,
    hint: meant === undefined ? "mainstay services lists what is there." : `Did you mean ${meant}?`,
  });
}

export interface Backends {
  readonly related: readonly RelatedThing[];
  /** What could not be read, for people. */
  readonly notes: readonly string[];
}

/** EndpointSlices of the namespace, or of one Service, and Nodes. */
export async function readBackends(kube: KubeReader, { namespace, name }: ServiceName): Promise<Backends> {
  const notes: string[] = [];
  const read = async (kind: Kind, selection: Selection): Promise<readonly RelatedThing[]> => {
    try {
      return (await listEverything(kube, kind, selection)).map((object: KubeObject) => ({ kind, object }));
    } catch (error) {
      if (!isKubeError(error, "Forbidden")) throw error;
      notes.push(`you may not list ${kind.plural}: backends are not known`);
      return [];
    }
  };
  const place = namespace === undefined ? {} : { namespace };
  const own = name === undefined ? {} : { labelSelector: `kubernetes.io/service-name=${name}` };
  const found = await Promise.all([read(endpointSlices, { ...place, ...own }), read(nodes, {})]);
  return { related: found.flat(), notes };
}
