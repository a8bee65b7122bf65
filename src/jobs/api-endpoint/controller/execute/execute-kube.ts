// Carries out what the planner decided about Kubernetes objects. Every change is bound to the resourceVersion the decision was made
// on, or adds only what nobody else owns, so that whoever was faster wins and the next round decides anew.

import { dnsEndpoints } from "../../../../apis/external-dns/dns-endpoint.ts";
import { apiVersionOf, formatRef, type KubeObject, type ObjectRef, refOf } from "../../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../../core/errors.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import { bearsMarkFor, finalizerOf, isBeingDeleted, markFor, ownerReferenceTo } from "../../../../core/ownership.ts";
import type { Executors, Writer } from "../../../../engine/feature.ts";
import { isSubset } from "../../../../engine/report/json-subset.ts";
import { guardedBy } from "../../../../engine/round/guarded-writes.ts";
import {
  cleanedUpAnnotation,
  heldSecretAnnotation,
  locationAnnotation,
  ownerIdAnnotation,
  tagsAnnotation,
} from "../../apis/annotations.ts";
import { formatTagRecord } from "../../apis/tag-record.ts";
import { dnsEndpointSpec } from "../../core/dns/dns-endpoint.ts";
import type { EndpointAction, KubeKind } from "../../core/model/action.ts";
import { withClusterOwner } from "../../core/situation/cluster-bond.ts";
import type { Addressed } from "../addressed.ts";
import { handOffTarget } from "../endpoint-hand-off.ts";
import type { FrontDoor } from "../front-door.ts";
import { holdSecret, releaseSecret } from "./hold-secret.ts";

export type KubeAction = Addressed<Extract<EndpointAction, { readonly kind: KubeKind }>>;

export function executeKube(door: FrontDoor): Executors<KubeAction> {
  const read = async ({ object, uid }: KubeAction, { kube, signal }: Writer): Promise<KubeObject> =>
    theSame(await kube.get(door.root, object, { signal }), uid);
  return {
    "add-finalizer": async (action, writer) => {
      const current = await read(action, writer);
      const { finalizers = [] } = current.metadata;
      if (finalizers.includes(finalizerOf(door.name))) return;
      await guarded(writer, door, current, [...finalizers, finalizerOf(door.name)]);
    },
    "remove-finalizer": async (action, writer) => {
      const current = await unlessGone(read(action, writer));
      if (current === undefined || !isBeingDeleted(current)) return;
      // Afterwards nobody would know of it any more.
      if (action.releases !== undefined) await releaseSecret(door, { ...action.object, name: action.releases }, writer);
      const { finalizers = [] } = current.metadata;
      await guarded(
        writer,
        door,
        current,
        finalizers.filter((name) => name !== finalizerOf(door.name)),
      );
    },
    "claim-owner-id": async (action, writer) => {
      const current = await read(action, writer);
      // An empty one is none.
      if (!current.metadata.annotations?.[ownerIdAnnotation])
        await annotate(writer, door, current, { [ownerIdAnnotation]: action.ownerId });
    },
    "record-location": async (action, writer) => {
      const current = await read(action, writer);
      // Whatever stands there now was not there when this was decided.
      if (current.metadata.annotations?.[locationAnnotation] === undefined)
        await annotate(writer, door, current, { [locationAnnotation]: action.location });
    },
    "record-tags": async (action, writer) => {
      const annotations = { [tagsAnnotation]: formatTagRecord(action.record) ?? null };
      await annotate(writer, door, await read(action, writer), annotations);
    },
    "record-clean-up": async (action, writer) => {
      const current = await read(action, writer);
      await annotate(writer, door, current, { [cleanedUpAnnotation]: action.uid });
    },
    "hold-secret": async (action, writer) => {
      const { object, secret, instead } = action;
      const current = await read(action, writer);
      if (instead !== undefined) await releaseSecret(door, { ...object, name: instead }, writer);
      if (current.metadata.annotations?.[heldSecretAnnotation] !== secret)
        await annotate(writer, door, current, { [heldSecretAnnotation]: secret });
      await holdSecret(door, { ...object, name: secret }, writer);
    },
    "release-secret": async ({ object, secret }, writer) => {
      await releaseSecret(door, { ...object, name: secret }, writer);
    },
    "set-cluster-owner": async (action, writer) => {
      const current = await read(action, writer);
      const ownerReferences = withClusterOwner(current.metadata.ownerReferences ?? [], action.owner);
      const { kube, signal } = writer;
      await kube.patch(door.root, action.object, guardedBy(current, { metadata: { ownerReferences } }), { signal });
    },
    "delete-endpoint": async (action, { kube, signal }) => {
      await kube.delete(door.root, action.object, { signal, uid: action.uid });
    },
    "set-endpoint": async (action, writer) => {
      await fillEndpoint(writer, door, await read(action, writer), action);
    },
    "hand-off-endpoint": async (action, writer) => {
      const { kube, signal } = writer;
      const target = await handOffTarget(door.clusterOf(await read(action, writer)), kube, signal);
      if (target === undefined) return;
      await fillEndpoint(writer, target, await kube.get(target.root, target.ref, { signal }), action);
    },
    "apply-dns-endpoint": async (action, writer) => {
      const { object, host, addresses } = action;
      const owner = await read(action, writer);
      const { labels, annotations } = markFor(door.name, owner);
      const reference = ownerReferenceTo(owner, object);
      const existing = await ownDnsEndpoint(owner, object, door, writer);
      const spec = dnsEndpointSpec(host, addresses);
      const { kube, signal } = writer;
      if (existing !== undefined) {
        // A cache that lags may have led here: it is published already.
        if (isSubset({ spec }, existing)) return;
        await kube.patch(dnsEndpoints, object, guardedBy(existing, { spec }), { signal });
        return;
      }
      const owners = reference === undefined ? {} : { ownerReferences: [reference] };
      await kube.create(
        dnsEndpoints,
        {
          apiVersion: apiVersionOf(dnsEndpoints),
          kind: dnsEndpoints.kind,
          metadata: { ...object, labels, annotations, ...owners },
          spec,
        },
        { signal },
      );
    },
    "delete-dns-endpoint": async (action, writer) => {
      const { object } = action;
      const owner = await read(action, writer);
      const existing = await existingDnsEndpoint(object, writer);
      if (existing === undefined || !bearsMarkFor(door.name, owner, existing)) return;
      const { uid } = existing.metadata;
      await writer.kube.delete(dnsEndpoints, object, { signal: writer.signal, ...(uid === undefined ? {} : { uid }) });
    },
  };
}

async function guarded(
  { kube, signal }: Writer,
  door: FrontDoor,
  { metadata }: KubeObject,
  finalizers: readonly string[],
): Promise<void> {
  const { name, namespace, resourceVersion } = metadata;
  const body = { metadata: { resourceVersion, finalizers } };
  await kube.patch(
    door.root,
    { name, ...(namespace === undefined ? {} : { namespace }) },
    { type: "merge", body },
    { signal },
  );
}

async function annotate(
  { kube, signal }: Writer,
  { root }: FrontDoor,
  current: KubeObject,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  await kube.patch(root, refOf(current), guardedBy(current, { metadata: { annotations } }), { signal });
}

/** Fills what is empty and touches nothing that is set: a user's host is never overwritten. */
async function fillEndpoint(
  { kube, signal }: Writer,
  { root }: Pick<FrontDoor, "root">,
  object: KubeObject & {
    readonly spec?: { readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number } };
  },
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const { host: hostThere = "", port: portThere = 0 } = object.spec?.controlPlaneEndpoint ?? {};
  if (hostThere !== "" && hostThere !== host) {
    throw new MainstayError({
      reason: "EndpointSetByUser",
      message: `${object.kind} ${formatRef(refOf(object))}: spec.controlPlaneEndpoint.host is ${hostThere} and stays so`,
      hint: "Nothing has to be done; it is looked at again.",
    });
  }
  if (hostThere === host && portThere !== 0) return;
  const { resourceVersion } = object.metadata;
  const body = {
    metadata: { resourceVersion },
    spec: { controlPlaneEndpoint: { host, port: portThere === 0 ? port : portThere } },
  };
  await kube.patch(root, refOf(object), { type: "merge", body }, { signal });
}

/** What was decided for an object that is no more is not done to its successor. */
function theSame(object: KubeObject, uid: string): KubeObject {
  if (object.metadata.uid === uid) return object;
  throw new MainstayError({
    reason: "WriteConflict",
    message: `${object.kind} ${formatRef(refOf(object))}: it was made anew under the same name`,
    hint: "Nothing has to be done; it is looked at again.",
  });
}

function existingDnsEndpoint(ref: ObjectRef, { kube, signal }: Writer): Promise<KubeObject | undefined> {
  return unlessGone(kube.get(dnsEndpoints, ref, { signal }));
}

async function unlessGone(reading: Promise<KubeObject>): Promise<KubeObject | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isKubeError(error, "NotFound", "KindNotServed")) return undefined;
    throw error;
  }
}

/** Undefined when there is none. Somebody else's is never changed. */
async function ownDnsEndpoint(
  owner: KubeObject,
  ref: ObjectRef,
  door: FrontDoor,
  writer: Writer,
): Promise<KubeObject | undefined> {
  const existing = await existingDnsEndpoint(ref, writer);
  if (existing === undefined || bearsMarkFor(door.name, owner, existing)) return existing;
  throw new MainstayError({
    reason: "DnsEndpointForeign",
    message: `DNSEndpoint ${ref.namespace}/${ref.name}: it exists and does not bear our mark`,
    hint: "Rename or delete it, or turn the publishing of DNS records off.",
  });
}
