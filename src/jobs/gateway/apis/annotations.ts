// Annotations by which people and the gateway job speak to each other on a Service, and those of ch-k8s-lbaas, which are read and kept,
// so that a switch in either direction changes no address.

/** `false` opts out; `true` is ours: the Service is looked after. */
export const managedAnnotation = "mainstay.dev/managed";
/** Which pool serves it. People may set it to choose among pools that all would. */
export const poolAnnotation = "mainstay.dev/pool";
/** Ours: where its address is recorded, a Neutron port's id or the address itself where addresses are static. */
export const inboundPortAnnotation = "mainstay.dev/inbound-port";
/** Ours: the same of its second family. */
export const secondaryPortAnnotation = "mainstay.dev/inbound-port-secondary";
/** Ours: the addresses that we published in its status, separated by commas. Other entries there are not ours. */
export const ingressAnnotation = "mainstay.dev/ingress";

/** Addresses that it asks for, separated by commas: at most one of each family. */
export const addressesAnnotation = "mainstay.dev/addresses";
/** Services that name the same key share an address, and with nobody else. */
export const sharingKeyAnnotation = "mainstay.dev/sharing-key";
/** `true`: it shares its addresses with nobody. */
export const dedicatedAnnotation = "mainstay.dev/dedicated-address";

const reference = "cah-loadbalancer.k8s.cloudandheat.com";
export const referenceManagedAnnotation = `${reference}/managed`;
export const referencePortAnnotation = `${reference}/inbound-port`;

/** Kubernetes' own, from before there was a field for it. */
export const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

export type Annotations = Readonly<Record<string, string>>;

export interface AddressRecord {
  /** Somebody said that it is looked after: we or ch-k8s-lbaas. */
  readonly isManaged: boolean;
  readonly hasOptedOut: boolean;
  readonly pool?: string;
  /** Of its first and its second family, in this order. */
  readonly ports: readonly string[];
  readonly ingress: readonly string[];
  /** ch-k8s-lbaas says another port than we do: both are at work. Ours counts. */
  readonly disagreement?: { readonly ours: string; readonly theirs: string };
}

export function addressRecord(annotations: Annotations = {}): AddressRecord {
  const managed = [annotations[managedAnnotation], annotations[referenceManagedAnnotation]];
  const [ours, theirs] = [annotations[inboundPortAnnotation], annotations[referencePortAnnotation]];
  const pool = annotations[poolAnnotation];
  return {
    isManaged: managed.includes("true"),
    hasOptedOut: managed.includes("false"),
    ...(pool ? { pool } : {}),
    ports: [ours || theirs, annotations[secondaryPortAnnotation]].flatMap((port) => (port ? [port] : [])),
    ingress: listed(annotations[ingressAnnotation]),
    ...(ours && theirs && ours !== theirs ? { disagreement: { ours, theirs } } : {}),
  };
}

/** `a, b` → a and b. */
export function listed(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
