// How a deletion is wanted: preconditions, propagation, grace, dry run; from the body, else from the query.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { present } from "../../../../core/present.ts";
import { invalid, notSupported } from "../field-cause.ts";
import type { Json, JsonObject } from "../json.ts";
import { isJsonList, isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { badRequest, invalidObject, unsupportedMediaType } from "./api-error.ts";
import { mediaType, parseYaml } from "./decode-body.ts";
import type { RequestInfo } from "./request-info.ts";
import { unsupportedDryRun, wholeNumber } from "./write-options.ts";

export type Propagation = "Background" | "Foreground" | "Orphan";

export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: Propagation;
  readonly gracePeriodSeconds?: number;
  readonly dryRun: boolean;
}

const propagations = ["Foreground", "Background", "Orphan"] as const;

export function deleteOptions(info: RequestInfo): DeleteOptions {
  const raw = info.body === "" ? fromQuery(info.query) : fromBody(info);
  const propagationPolicy = stringAt(raw, "propagationPolicy");
  const dryRun = isJsonList(raw["dryRun"]) ? raw["dryRun"].map(String) : [];
  check(raw, propagationPolicy, dryRun);
  const preconditions = objectAt(raw, "preconditions");
  const propagation =
    propagations.find((word) => word === propagationPolicy) ?? legacyPropagation(raw["orphanDependents"]);
  const grace = raw["gracePeriodSeconds"];
  return {
    ...(typeof preconditions["uid"] === "string" ? { uid: preconditions["uid"] } : {}),
    ...(typeof preconditions["resourceVersion"] === "string"
      ? { resourceVersion: preconditions["resourceVersion"] }
      : {}),
    ...present({ propagation }),
    ...(typeof grace === "number" ? { gracePeriodSeconds: grace } : {}),
    dryRun: dryRun.length > 0,
  };
}

function check(raw: JsonObject, propagationPolicy: string, dryRun: readonly string[]): void {
  const causes: FieldCause[] = [];
  if (propagationPolicy !== "" && !propagations.some((word) => word === propagationPolicy)) {
    causes.push(notSupported("propagationPolicy", propagationPolicy, [...propagations, "nil"]));
  }
  if (propagationPolicy !== "" && raw["orphanDependents"] !== undefined) {
    const why = "orphanDependents and deletionPropagation cannot be both set";
    causes.push(invalid("propagationPolicy", propagationPolicy, why));
  }
  if (dryRun.some((value) => value !== "All")) causes.push(unsupportedDryRun(dryRun));
  if (causes.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", causes);
}

function legacyPropagation(orphanDependents: Json | undefined): Propagation | undefined {
  if (typeof orphanDependents !== "boolean") return undefined;
  return orphanDependents ? "Orphan" : "Background";
}

function fromQuery(query: URLSearchParams): JsonObject {
  const grace = wholeNumber(query, "gracePeriodSeconds");
  const orphan = query.get("orphanDependents");
  return {
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    ...(orphan === null ? {} : { orphanDependents: orphan === "true" || orphan === "1" }),
    dryRun: query.getAll("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
  };
}

function fromBody(info: RequestInfo): JsonObject {
  const type = mediaType(info.headers["content-type"]);
  if (type !== "application/json" && type !== "application/yaml") {
    throw unsupportedMediaType(["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]);
  }
  const value = parseYaml(info.body);
  if (!isJsonObject(value)) throw badRequest("the body of a deletion must be DeleteOptions");
  const kind = stringAt(value, "kind");
  if (kind !== "" && kind !== "DeleteOptions") {
    throw badRequest(`no kind "${kind}" is registered for version "${stringAt(value, "apiVersion")}" in scheme`);
  }
  return value;
}
