// What a job is, as data. A job's folder has one declaration (job.ts) of this type, and everything that can be derived from it is: rights
// and their manifests, webhooks, reference pages, the metrics registry, the configuration's schema, what people are shown.

import type { z } from "zod";
import type { CrdConversion, CustomResourceDefinition } from "../../apis/kube/crd.ts";
import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import type { ChangeReasons } from "../change-reasons.ts";
import type { GateTable } from "../feature-gates.ts";
import type { Refusal } from "../plan.ts";
import type { CauseTable, ReasonTable } from "../reasons.ts";
import type { CauseOrder } from "../root-cause.ts";
import type { Parts } from "../views/parts.ts";
import type { Picture, PictureInput } from "../views/picture.ts";
import type { Admission, Conversion } from "./admission.ts";
import type { MetricTable } from "./metric.ts";
import type { PermissionGroup } from "./permission.ts";

export interface JobDeclaration {
  readonly name: string;
  /** What it gives an operator, in one sentence. */
  readonly summary: string;
  /** By name. Each has a feature of the same name (src/jobs/features.ts). */
  readonly controllers: Readonly<Record<string, ControllerDeclaration>>;
  readonly definitions: readonly Definition[];
  readonly admission: readonly Admission[];
  readonly conversion: readonly Conversion[];
  readonly reasons: ReasonTable;
  readonly causes: CauseTable;
  /** The reasons of Events about what was done, by kind of action. */
  readonly changes: ChangeReasons;
  readonly metrics: MetricTable;
  readonly settings: JobSettings;
  readonly featureGates: GateTable;
}

export interface ControllerDeclaration {
  /** One sentence. */
  readonly summary: string;
  /** What status, explain, doctor and dashboard show of it. */
  readonly shows: readonly ShownObjects[];
  /** What it lists and watches objects of other kinds for, in one sentence: such rights are granted by themselves. */
  readonly follows: string;
  /** All other rights. */
  readonly permissions: readonly PermissionGroup[];
}

/** A kind whose objects people are shown. */
export interface ShownObjects {
  readonly kind: Kind;
  /** What such an object is, in one sentence. */
  readonly what: string;
  /** Its conditions speak of the controller's object of the same name and namespace. */
  readonly reportsOnRoot?: boolean;
  /** Types of its conditions that mean a problem when they are True. All others are promises, for which True is good. */
  readonly badWhenTrue?: readonly string[];
  /** What people are told first where something is wrong. Absent: what is worst. */
  readonly headline?: Headline;
  /** The equal parts that such an object is made of, each with a health of its own; `refusals` are those of its latest plan. */
  readonly parts?: (object: KubeObject, refusals?: readonly Refusal[]) => Parts | undefined;
  /** How it works, from clients to what answers them; undefined while there is nothing to show. */
  readonly picture?: (input: PictureInput) => Picture | undefined;
  /** Kinds of others that people may name when they mean this one, as kubectl takes them, and how the two belong together. */
  readonly meantBy?: { readonly names: readonly string[]; readonly words: string };
}

export interface Headline {
  /** The condition that sums the others up: its message is the headline, as long as it has one. */
  readonly condition: string;
  readonly order: CauseOrder;
}

/** A definition that Mainstay brings to a cluster. */
export interface Definition {
  readonly crd: CustomResourceDefinition;
  /** The same with a webhook that converts between its versions. Absent: they differ in nothing. */
  readonly withConversion?: (conversion: CrdConversion) => CustomResourceDefinition;
}

/** The job's part of the configuration file. Every field has a description. */
export interface JobSettings<S extends z.ZodType<object> = z.ZodType<object>> {
  /** Where it stands in the file. */
  readonly key: string;
  readonly schema: S;
}

export function definitionsOf(jobs: readonly JobDeclaration[]): readonly Definition[] {
  return jobs.flatMap(({ definitions }) => definitions);
}

export function controllerNames(jobs: readonly JobDeclaration[]): readonly string[] {
  return jobs.flatMap(({ controllers }) => Object.keys(controllers));
}

/** Checks a declaration against its type and keeps its names: features and settings are typed by them. */
export function declareJob<const D extends JobDeclaration>(declaration: D): D {
  return declaration;
}
