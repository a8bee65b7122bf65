// What is wrong with the annotations that people set for the api-endpoint job, and with tags that would look like ours.

import {
  adoptLegacyAnnotation,
  idleTimeoutAnnotation,
  isConsent,
  isOwnerId,
  minZonesAnnotation,
  ownerIdAnnotation,
  parseIdleTimeout,
  parseMinZones,
  publishDnsAnnotation,
  removeLegacyAnnotation,
  repairAnnotation,
} from "./api-endpoint-annotations.ts";
import type { ObjectMeta } from "./kube-object.ts";
import { type Problem, quote } from "./problem.ts";

const switches = [repairAnnotation, removeLegacyAnnotation, adoptLegacyAnnotation, publishDnsAnnotation];

export function annotationProblems({ annotations = {} }: ObjectMeta, zones: number): readonly Problem[] {
  const found: Problem[] = [];
  const [wanted, idle] = [annotations[minZonesAnnotation], annotations[idleTimeoutAnnotation]];
  const least = parseMinZones(wanted);
  if (wanted !== undefined && (least === undefined || (zones > 0 && least > zones))) {
    const message =
      least === undefined
        ? `${quote(wanted)} is not a number from 1`
        : `${least} is more than the ${zones} mapped zones`;
    found.push({ where: where(minZonesAnnotation), message, hint: "Say how many zones are enough, or remove it." });
  }
  if (idle !== undefined && parseIdleTimeout(idle) === undefined) {
    const message = `${quote(idle)} is not a time`;
    found.push({ where: where(idleTimeoutAnnotation), message, hint: "Write it as 90s, 30m or 1h, up to 365 days." });
  }
  const owner = annotations[ownerIdAnnotation];
  if (owner !== undefined && owner !== "" && !isOwnerId(owner)) {
    const message = `${quote(owner)} cannot be an owner's id`;
    const hint = "Use letters, digits, dots, dashes and underscores, at most 100, or leave it out: Mainstay sets it.";
    found.push({ where: where(ownerIdAnnotation), message, hint });
  }
  return found;
}

export function annotationWarnings({ annotations = {} }: ObjectMeta): readonly string[] {
  return switches.flatMap((name) => {
    const value = annotations[name];
    if (value === undefined || value === "false" || isConsent(value)) return [];
    return [`${where(name)}: ${quote(value)} means no; only "true" means yes`];
  });
}

/** Tags that begin like ours are how we tell our objects: nobody else may put them on. */
const reservedTag = /^mainstay\b/i;
const maxTagLength = 255;

export function userTagProblems(tags: readonly string[] | undefined, at: string): readonly Problem[] {
  return (tags ?? []).flatMap((tag, i) => {
    const place = `${at}[${i}]`;
    if (tag === "" || tag.length > maxTagLength)
      return [{ where: place, message: `${quote(tag)} is no tag`, hint: `Use 1 to ${maxTagLength} characters.` }];
    if (!reservedTag.test(tag)) return [];
    return [
      { where: place, message: `${quote(tag)} begins like a tag of Mainstay's own`, hint: "Choose another tag." },
    ];
  });
}

function where(annotation: string): string {
  return `metadata.annotations[${annotation}]`;
}
