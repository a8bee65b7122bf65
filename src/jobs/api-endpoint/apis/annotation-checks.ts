// What is wrong with the annotations that people set for the api-endpoint job.

import {
  annotationAt,
  annotationSpellingWarnings,
  type KnownAnnotations,
} from "../../../apis/kube/annotation-spelling.ts";
import { remainderAnnotation } from "../../../apis/kube/conversion-remainder.ts";
import type { ObjectMeta } from "../../../apis/kube/kube-object.ts";
import { type Problem, quote } from "../../../apis/text/problem.ts";
import {
  adoptLegacyAnnotation,
  blockMoveAnnotation,
  cleanedUpAnnotation,
  clusterDeletedAnnotation,
  consentedZones,
  deleteForMoveAnnotation,
  externallyManagedAnnotation,
  heldSecretAnnotation,
  idleTimeoutAnnotation,
  isLocation,
  isOwnerId,
  locationAnnotation,
  minZonesAnnotation,
  outlivesClusterAnnotation,
  ownerIdAnnotation,
  parseIdleTimeout,
  parseMinZones,
  pausedAnnotation,
  publishDnsAnnotation,
  removeLegacyAnnotation,
  repairAnnotation,
  tagsAnnotation,
} from "./annotations.ts";

const consents = [repairAnnotation, removeLegacyAnnotation, adoptLegacyAnnotation, clusterDeletedAnnotation];
const keeping = [outlivesClusterAnnotation, publishDnsAnnotation];

export function annotationProblems({ annotations = {} }: ObjectMeta, zones: number): readonly Problem[] {
  const found: Problem[] = [];
  const [wanted, idle] = [annotations[minZonesAnnotation], annotations[idleTimeoutAnnotation]];
  const least = parseMinZones(wanted);
  if (wanted !== undefined && (least === undefined || (zones > 0 && least > zones))) {
    const message =
      least === undefined
        ? `${quote(wanted)} is not a number from 1`
        : `${least} is more than the ${zones} mapped zones`;
    found.push({
      where: annotationAt(minZonesAnnotation),
      message,
      hint: "Say how many zones are enough, or remove it.",
    });
  }
  if (idle !== undefined && parseIdleTimeout(idle) === undefined) {
    const message = `${quote(idle)} is not a time`;
    found.push({
      where: annotationAt(idleTimeoutAnnotation),
      message,
      hint: "Write it as 90s, 30m or 1h, up to 365 days.",
    });
  }
  const owner = annotations[ownerIdAnnotation];
  if (owner !== undefined && owner !== "" && !isOwnerId(owner)) {
    const message = `${quote(owner)} cannot be an owner's id`;
    const hint = "Use letters, digits, dots, dashes and underscores, at most 100, or leave it out: Mainstay sets it.";
    found.push({ where: annotationAt(ownerIdAnnotation), message, hint });
  }
  const location = annotations[locationAnnotation];
  if (location !== undefined && !isLocation(location)) {
    const message = `${quote(location)} names no project and region`;
    const hint = "Write <project id>/<region> as it was, or remove the annotation: Mainstay sets it.";
    found.push({ where: annotationAt(locationAnnotation), message, hint });
  }
  return found;
}

const everywhere = [
  ownerIdAnnotation,
  locationAnnotation,
  tagsAnnotation,
  heldSecretAnnotation,
  cleanedUpAnnotation,
  repairAnnotation,
  removeLegacyAnnotation,
  clusterDeletedAnnotation,
  minZonesAnnotation,
  idleTimeoutAnnotation,
];
const ofClusterApi = [pausedAnnotation, externallyManagedAnnotation, deleteForMoveAnnotation, blockMoveAnnotation];
const knownOn: Readonly<Record<"OpenStackCluster" | "APIEndpoint", KnownAnnotations>> = {
  OpenStackCluster: {
    names: [...everywhere, adoptLegacyAnnotation, publishDnsAnnotation],
    theirs: ofClusterApi,
    internal: ["v1beta1", "v1beta2"].map(remainderAnnotation),
    elsewhere: { [outlivesClusterAnnotation]: "Cluster API deletes an OpenStackCluster with its Cluster" },
  },
  APIEndpoint: {
    names: [...everywhere, outlivesClusterAnnotation],
    theirs: ofClusterApi,
    elsewhere: {
      [adoptLegacyAnnotation]: "through an APIEndpoint a balancer of CAPO's is never adopted",
      [publishDnsAnnotation]: "set spec.publishDNS instead",
    },
  },
};

/** `zones`: those that are mapped. */
export function annotationWarnings(
  metadata: ObjectMeta,
  door: keyof typeof knownOn,
  zones: readonly string[],
): readonly string[] {
  const { annotations = {} } = metadata;
  const known = knownOn[door];
  const unclear = [...consents, ...keeping]
    .filter((name) => known.names.includes(name) && name !== repairAnnotation)
    .flatMap((name) => {
      const value = annotations[name];
      if (value === undefined || value === "false" || value === "true") return [];
      const meaning = consents.includes(name) ? 'no; only "true" means yes' : 'yes; only "false" means no';
      return [`${annotationAt(name)}: ${quote(value)} means ${meaning}`];
    });
  return [
    ...unclear,
    ...repairWarnings(annotations[repairAnnotation], zones),
    ...annotationSpellingWarnings(metadata, known),
  ];
}

function repairWarnings(value: string | undefined, zones: readonly string[]): readonly string[] {
  if (value === undefined || value === "true" || value === "false") return [];
  const [unknown] = value === "" ? [value] : consentedZones(value).filter((zone) => !zones.includes(zone));
  if (unknown === undefined) return [];
  const mapped = zones.length === 0 ? "no zone is mapped" : `mapped are ${zones.join(", ")}`;
  return [
    `${annotationAt(repairAnnotation)}: ${quote(unknown)} is neither "true" nor a zone, and agrees to nothing; ${mapped}`,
  ];
}
