// Which tags of the user's are put on now, and which are taken off. Neither is done before it is written down (TagRecord): otherwise nobody
// would know after a crash, or after the next change of the spec, which tags are ours to take off.

import { isSameTag } from "../../../../apis/openstack/tag-text.ts";
import { noTagsRecorded, type TagRecord } from "../../apis/tag-record.ts";
import type { EndpointSettings } from "../model/intent.ts";

export interface UserTags {
  /** Those of the spec that are written down. */
  readonly wanted: readonly string[];
  /** Those that may be on something and are not in the spec any more. */
  readonly former: readonly string[];
}

type TagIntent = Pick<EndpointSettings, "tags" | "tagRecord">;

export function userTags({ tags, tagRecord: record = noTagsRecorded }: TagIntent): UserTags {
  return {
    wanted: tags.filter((tag) => isAmong(tag, record.tags)),
    former: record.is === "applied" ? [] : record.tags.filter((tag) => !isAmong(tag, tags)),
  };
}

/** They have changed, and not everything is known to have them: members are listed meanwhile, whose tags nothing else shows. */
export function isApplying({ tagRecord }: TagIntent): boolean {
  return tagRecord?.is === "applying";
}

/** What is to be written down before anything is tagged anew; undefined when it stands there. */
export function changedRecord({ tags, tagRecord: record = noTagsRecorded }: TagIntent): TagRecord | undefined {
  const unrecorded = tags.filter((tag) => !isAmong(tag, record.tags));
  const isWhole = record.is === "applying" || record.tags.every((tag) => isAmong(tag, tags));
  return unrecorded.length === 0 && isWhole ? undefined : { is: "applying", tags: [...record.tags, ...unrecorded] };
}

function isAmong(tag: string, tags: readonly string[]): boolean {
  return tags.some((one) => isSameTag(one, tag));
}
