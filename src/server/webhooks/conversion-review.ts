// Answers a ConversionReview: every object in the desired version, or why that is impossible. Pure.

import { z } from "zod";
import type { Kind, KubeObject } from "../../apis/kube/kube-object.ts";
import type { Conversion } from "../../core/job/admission.ts";

const reviewSchema = z.object({
  apiVersion: z.literal("apiextensions.k8s.io/v1"),
  kind: z.literal("ConversionReview"),
  request: z.object({
    uid: z.string(),
    desiredAPIVersion: z.string(),
    objects: z.array(z.looseObject({ apiVersion: z.string(), kind: z.string(), metadata: z.looseObject({}) })),
  }),
});

export interface ConversionAnswer {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "ConversionReview";
  readonly response: {
    readonly uid: string;
    readonly result: { readonly status: "Success" | "Failure"; readonly message?: string };
    readonly convertedObjects?: readonly KubeObject[];
  };
}

/** Throws a ZodError when it is no review. */
export function answerConversion(review: unknown, conversions: readonly Conversion[]): ConversionAnswer {
  const { apiVersion, kind, request } = reviewSchema.parse(review);
  const { uid, desiredAPIVersion, objects } = request;
  const converted = objects.map((object) => {
    const conversion = conversions.find(({ kind: known }) => isOf(known, object));
    return conversion?.convert(object as unknown as KubeObject, desiredAPIVersion);
  });
  const unconverted = converted.findIndex((object) => object === undefined);
  if (unconverted < 0) {
    const convertedObjects = converted.filter((object) => object !== undefined);
    return { apiVersion, kind, response: { uid, result: { status: "Success" }, convertedObjects } };
  }
  const { apiVersion: from, kind: what } = objects[unconverted] ?? {};
  const message = `${what} cannot be converted from ${from} to ${desiredAPIVersion}`;
  return { apiVersion, kind, response: { uid, result: { status: "Failure", message } } };
}

function isOf({ group, kind }: Kind, object: { readonly apiVersion: string; readonly kind: string }): boolean {
  return object.kind === kind && object.apiVersion.startsWith(`${group}/`);
}
