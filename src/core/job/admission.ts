// What a job has to say when somebody writes one of its objects, or asks for one in another version. Pure: the same checks serve the
// webhook, the controller and the command line.

import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import type { Problem } from "../../apis/text/problem.ts";

export interface AdmissionChecks<T extends KubeObject> {
  /** `version` is the one that the writer speaks; the object has the kind's own. */
  readonly problems: (object: T, version: string) => readonly Problem[];
  readonly updateProblems: (before: T, after: T, version: string) => readonly Problem[];
  /** What is written there without effect. Nothing is refused for it. */
  readonly warnings: (object: T, version: string) => readonly string[];
  /** What an allowed change will cost. Nothing is refused for it. */
  readonly updateWarnings?: (before: T, after: T, version: string) => readonly string[];
}

export interface MatchCondition {
  readonly name: string;
  /** CEL. */
  readonly expression: string;
}

export interface Admission<T extends KubeObject = KubeObject> extends AdmissionChecks<T> {
  readonly kind: Kind<T>;
  /** Which objects the API server asks about; absent: all. */
  readonly only?: readonly MatchCondition[];
}

/** Types an admission in full, then forgets its object, so that a declaration can hold several. */
export function admission<T extends KubeObject>(definition: Admission<T>): Admission {
  return definition as unknown as Admission;
}

export interface Conversion {
  readonly kind: Kind;
  /** Undefined: there is no way to that version. */
  readonly convert: (object: KubeObject, apiVersion: string) => KubeObject | undefined;
}
