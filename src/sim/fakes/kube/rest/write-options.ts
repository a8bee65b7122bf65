// The query parameters every write understands: dry run, field validation, field manager, force.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { forbidden, notSupported, required } from "../field-cause.ts";
import { badRequest, invalidObject } from "./api-error.ts";
import type { RequestInfo } from "./request-info.ts";

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly fieldManager: string;
  readonly force: boolean;
}

const validations = ["Ignore", "Warn", "Strict"] as const;

export function writeOptions(
  info: RequestInfo,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  apply = false,
): WriteOptions {
  const { query, headers } = info;
  const causes: FieldCause[] = [];
  const dryRun = query.getAll("dryRun");
  if (dryRun.some((value) => value !== "All")) causes.push(unsupportedDryRun(dryRun));
  const asked = query.get("fieldValidation") ?? "";
  const fieldValidation = validations.find((word) => word === asked) ?? "Warn";
  if (asked !== "" && asked !== fieldValidation) {
    causes.push(notSupported("fieldValidation", asked, ["", "Ignore", "Strict", "Warn"]));
  }
  const force = query.get("force");
  if (!apply && force !== null) causes.push(forbidden("force", "may not be specified for non-apply patch"));
  const manager = query.get("fieldManager") ?? "";
  if (apply && manager === "") causes.push(required("fieldManager", "is required for apply patch"));
  if (manager.length > 128)
    causes.push({
      field: "fieldManager",
      reason: "FieldValueTooLong",
      message: "Too long: may not be more than 128 bytes",
    });
  if (causes.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", causes);
  return {
    dryRun: dryRun.length > 0,
    fieldValidation,
    fieldManager: manager === "" ? managerOf(headers["user-agent"]) : manager,
    force: force === "true" || force === "1",
  };
}

export function unsupportedDryRun(values: readonly string[]): FieldCause {
  return notSupported("dryRun", [...values], ["All"]);
}

export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (/^[-+]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function managerOf(userAgent: string | undefined): string {
  const name = (userAgent ?? "").split("/")[0] ?? "";
  return name === "" ? "unknown" : name.slice(0, 128);
}
