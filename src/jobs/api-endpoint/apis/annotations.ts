// Annotations by which people and the api-endpoint job speak to each other on an OpenStackCluster or an APIEndpoint.

/** Ours: names the owner of everything in the cloud. Annotations survive a `clusterctl move`, uids do not. */
export const ownerIdAnnotation = "mainstay.dev/owner-id";
/** Ours: the cloud project and region that everything is in, as `<project id>/<region>`. Removing it is consent to another. */
export const locationAnnotation = "mainstay.dev/project-id";
/** Ours: which tags of `spec.tags` are on what is in the cloud: tag-record.ts. */
export const tagsAnnotation = "mainstay.dev/tags";
/** Ours: the Secret beside the object that bears our finalizer for its sake. */
export const heldSecretAnnotation = "mainstay.dev/held-secret";
/** Ours, on an object that is being deleted: its uid, when nothing of it is left in the cloud, so that no credentials are needed any more. */
export const cleanedUpAnnotation = "mainstay.dev/cleaned-up";
/** Consent: rebuild a balancer in ERROR although no other zone is healthy. `true`, or zones: repair-consent.ts. */
export const repairAnnotation = "mainstay.dev/repair";
/** Consent: delete the legacy balancer that was kept as a fall-back. */
export const removeLegacyAnnotation = "mainstay.dev/remove-legacy";
/** Consent: adopt a legacy balancer that only its name and description speak for. */
export const adoptLegacyAnnotation = "mainstay.dev/adopt-legacy";
/** Consent: clean up although the Cluster went while it was paused, which is how a move looks. */
export const clusterDeletedAnnotation = "mainstay.dev/cluster-deleted";
/** On an APIEndpoint: it stays when its Cluster goes, and so do its balancers. */
export const outlivesClusterAnnotation = "mainstay.dev/outlives-cluster";
/** So many zones are enough for the cluster to become provisioned for the first time. */
export const minZonesAnnotation = "mainstay.dev/min-zones";
/** On an OpenStackCluster: publish the zones' addresses as a DNSEndpoint for external-dns. */
export const publishDnsAnnotation = "mainstay.dev/publish-dns";
/** How long a listener keeps a silent connection, such as `30m`, `90s` or `1h`. */
export const idleTimeoutAnnotation = "mainstay.dev/idle-timeout";

/** Cluster API's: somebody else than its usual controller looks after this object. Any value counts; also honoured as a label. */
export const externallyManagedAnnotation = "cluster.x-k8s.io/managed-by";
/** Cluster API's: hands off. Any value counts. */
export const pausedAnnotation = "cluster.x-k8s.io/paused";

/** clusterctl's: the object is deleted here because it lives on in another management cluster. Any value counts. */
export const deleteForMoveAnnotation = "clusterctl.cluster.x-k8s.io/delete-for-move";
/** clusterctl's: a move waits while it is there. Never ours: docs/decisions/0009-a-move-leaves-the-cloud-alone.md says why. */
export const blockMoveAnnotation = "clusterctl.cluster.x-k8s.io/block-move";

export const defaultIdleTimeoutMs = 30 * 60_000;

/** An annotation that says yes. Anything but `true` says no, so that an empty value or a typo never consents. */
export function isConsent(value: string | undefined): boolean {
  return value === "true";
}

/** Zones that a consent names: `az1`, or `az1,az3`. */
export function consentedZones(value: string | undefined): readonly string[] {
  if (value === undefined || value === "true" || value === "false") return [];
  return value
    .split(",")
    .map((zone) => zone.trim())
    .filter((zone) => zone !== "");
}

/** An annotation that keeps something. Anything but `false` keeps it, so that a typo takes no name out of DNS and deletes no balancer. */
export function isKeeping(value: string | undefined): boolean {
  return value !== undefined && value !== "false";
}

/** What may stand in a tag and in a question for tags, where a comma would mean two. */
export function isOwnerId(text: string): boolean {
  return /^[A-Za-z0-9][-._A-Za-z0-9]{0,99}$/.test(text);
}

/** Project ids have no slash; regions may have anything. */
export function isLocation(text: string): boolean {
  return /^[^\s/]{1,64}\/\S(.*\S)?$/.test(text) && text.length <= 320;
}

/** A whole number from 1. */
export function parseMinZones(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Octavia takes at most this many milliseconds. */
const maxIdleTimeoutMs = 365 * 24 * 3_600_000;

/** `90s`, `30m`, `1h`; undefined when it is none of these or out of Octavia's range. */
export function parseIdleTimeout(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,9})([smh])$/.exec(text) ?? [];
  const ms = Number(amount) * (unitsMs[unit] ?? Number.NaN);
  return ms >= 1_000 && ms <= maxIdleTimeoutMs ? ms : undefined;
}
