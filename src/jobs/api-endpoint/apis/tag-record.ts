// What the annotation `mainstay.dev/tags` says of the user's tags in the cloud: `{"applied":["a"]}`, or `{"applying":["a","b"]}` while they
// change. A tag stands there before it is put on anything, so that one that leaves the spec is known to be ours to take off.

import { usableTags } from "../../../apis/openstack/tag-text.ts";

/** `applied`: everything has these, and nothing has another one of ours. `applying`: any of these may be on anything. */
export interface TagRecord {
  readonly is: "applied" | "applying";
  readonly tags: readonly string[];
}

/** Of an object without the annotation. */
export const noTagsRecorded: TagRecord = { is: "applied", tags: [] };

/** What is not as we write it says nothing, and a tag that no user may set is never taken for a user's. */
export function parseTagRecord(text: string | undefined): TagRecord {
  const value = text === undefined ? undefined : parseJson(text);
  if (typeof value !== "object" || value === null) return noTagsRecorded;
  const { applied, applying } = value as Readonly<Record<string, unknown>>;
  if (isTexts(applying)) return { is: "applying", tags: usableTags(applying) };
  return isTexts(applied) ? { is: "applied", tags: usableTags(applied) } : noTagsRecorded;
}

/** Undefined: no annotation is needed to say it. */
export function formatTagRecord({ is, tags }: TagRecord): string | undefined {
  return is === "applied" && tags.length === 0 ? undefined : JSON.stringify({ [is]: tags });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
