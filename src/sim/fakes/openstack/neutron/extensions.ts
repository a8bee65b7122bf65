// Which extensions the fake Neutron has. Some are optional, and those of revisions came with later releases: a cloud may be made without
// them.

import type { Cloud } from "../cloud.ts";

const always = [
  "external-net",
  "filter-validation",
  "net-mtu",
  "qos",
  "router",
  "security-group",
  "standard-attr-description",
  "standard-attr-tag",
  "standard-attr-timestamp",
  "subnet_allocation",
];
/** An operator switches them on; the last one is seldom found. */
const optional = ["allowed-address-pairs", "port-security", "tag-ports-during-bulk-creation"] as const;
const ofRevisions = ["revision-if-match", "standard-attr-revisions"];

export type OptionalExtension = (typeof optional)[number];

export function extensionsOf(cloud: Cloud): ReadonlySet<string> {
  const chosen = optional.filter((alias) => hasExtension(cloud, alias));
  return new Set([...always, ...chosen, ...(comparesRevisions(cloud) ? ofRevisions : [])]);
}

export function hasExtension({ options }: Cloud, alias: OptionalExtension): boolean {
  return options.neutronLacks?.includes(alias) !== true;
}

/** It counts changes, shows the count, and makes a change only while the count is what the caller says. */
export function comparesRevisions({ options }: Cloud): boolean {
  return options.neutronRevisions ?? true;
}
