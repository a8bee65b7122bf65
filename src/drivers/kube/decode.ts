// Reads the bodies of good answers. Checks the few things every answer must have and keeps everything else as it came.

import { apiVersionOf, type Kind, type KubeObject } from "../../apis/kube/kube-object.ts";
import { KubeError } from "../../core/kube-error.ts";
import type { KubeList } from "../../ports/kube.ts";
import type { HttpAnswer } from "../http/http-answer.ts";
import { describeSubject, type Subject } from "./errors.ts";

export function decodeObject<T extends KubeObject>(subject: Subject, answer: HttpAnswer): T {
  const value = parse(subject, answer);
  if (!isRecord(value) || !isRecord(value["metadata"])) throw unreadable(subject, answer, "the answer has no metadata");
  // The one place where the wire becomes T: fields of a kind are checked by the API server's schema, not here.
  return value as unknown as T;
}

export function decodeList<T extends KubeObject>(kind: Kind<T>, subject: Subject, answer: HttpAnswer): KubeList<T> {
  const value = parse(subject, answer);
  if (!isRecord(value) || !isRecord(value["metadata"])) throw unreadable(subject, answer, "the answer is not a list");
  const { resourceVersion, continue: token, remainingItemCount: remaining } = value["metadata"];
  const items: unknown = value["items"] ?? [];
  if (!Array.isArray(items)) throw unreadable(subject, answer, "the list has no items field");
  const named = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  return {
    // Built-in kinds leave these two out of list items; watches have them, and both should yield equal objects.
    items: items.map((item: T) => ({ ...named, ...item })),
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "",
    ...(typeof token === "string" && token !== "" ? { continueToken: token } : {}),
    ...(typeof remaining === "number" ? { remainingItemCount: remaining } : {}),
  };
}

/** Undefined when the object is gone. Some kinds answer with a Status then, others with the object as it last was. */
export function decodeDeleted<T extends KubeObject>(subject: Subject, answer: HttpAnswer): T | undefined {
  const value = parse(subject, answer);
  if (isRecord(value) && value["kind"] === "Status") return undefined;
  const object = decodeObject<T>(subject, answer);
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = object.metadata;
  const gone = deletionTimestamp === undefined || (deletionGracePeriodSeconds === 0 && finalizers.length === 0);
  return gone ? undefined : object;
}

/** JSON where the server says it is JSON, text otherwise (`/readyz` answers `ok`). */
export function decodeAnswer(subject: Subject, answer: HttpAnswer): unknown {
  const json = /\bjson\b/.test(answer.headers["content-type"] ?? "");
  return json ? parse(subject, answer) : answer.text;
}

function parse(subject: Subject, answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw unreadable(subject, answer, "the answer is not JSON");
  }
}

function unreadable(subject: Subject, answer: HttpAnswer, what: string): KubeError {
  return new KubeError({
    code: "ServerError",
    message: `${describeSubject(subject)}: ${what}`,
    status: answer.status,
    hint: "Check that the address is an API server's and that no proxy in between answers for it.",
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
