// What webhook configurations add to the rules every kind has: defaults, and validation that leaves nothing half understood.

import type { FieldCause } from "../../../../core/kube-error.ts";
import { conditionProblem } from "../admission/match-conditions.ts";
import { ruleProblems } from "../admission/webhook-rule-problems.ts";
import { duplicate, invalid, notSupported, required } from "../field-cause.ts";
import type { JsonObject } from "../json.ts";
import { objectsAt, stringsAt } from "../json-lists.ts";
import type { ResourceStrategy } from "../resource.ts";
import { objectAt, stringAt } from "../schema/json-value.ts";

export const webhookConfigurationStrategy: ResourceStrategy = {
  tracksGeneration: true,
  needsResourceVersion: true,
  defaults: (configuration) =>
    configuration["webhooks"] === undefined
      ? configuration
      : {
          ...configuration,
          webhooks: objectsAt(configuration, "webhooks").map((webhook) => withDefaults(webhook, kindOf(configuration))),
        },
  validate: (configuration) =>
    objectsAt(configuration, "webhooks").flatMap((webhook, i, all) => [
      ...webhookProblems(webhook, `webhooks[${i}]`, kindOf(configuration)),
      ...(all.findIndex((other) => stringAt(other, "name") === stringAt(webhook, "name")) < i
        ? [duplicate(`webhooks[${i}].name`, stringAt(webhook, "name"))]
        : []),
    ]),
};

function kindOf(configuration: JsonObject): "mutating" | "validating" {
  return stringAt(configuration, "kind") === "MutatingWebhookConfiguration" ? "mutating" : "validating";
}

function withDefaults(webhook: JsonObject, kind: "mutating" | "validating"): JsonObject {
  const service = objectAt(webhook, "clientConfig")["service"];
  return {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    ...(kind === "mutating" ? { reinvocationPolicy: "Never" } : {}),
    ...webhook,
    ...(webhook["rules"] === undefined
      ? {}
      : { rules: objectsAt(webhook, "rules").map((rule) => ({ scope: "*", ...rule })) }),
    ...(service === undefined ? {} : { clientConfig: withPort(objectAt(webhook, "clientConfig")) }),
  };
}

function withPort(clientConfig: JsonObject): JsonObject {
  return { ...clientConfig, service: { port: 443, ...objectAt(clientConfig, "service") } };
}

function webhookProblems(webhook: JsonObject, field: string, kind: "mutating" | "validating"): readonly FieldCause[] {
  const timeout = webhook["timeoutSeconds"];
  const outOfRange = typeof timeout === "number" && (timeout < 1 || timeout > 30);
  return [
    ...nameProblems(stringAt(webhook, "name"), `${field}.name`),
    ...objectsAt(webhook, "rules").flatMap((rule, i) => ruleProblems(rule, `${field}.rules[${i}]`)),
    ...oneOf(webhook, "failurePolicy", field, ["Fail", "Ignore"]),
    ...oneOf(webhook, "matchPolicy", field, ["Equivalent", "Exact"]),
    ...(webhook["sideEffects"] === undefined
      ? [required(`${field}.sideEffects`, "must specify one of None, NoneOnDryRun")]
      : oneOf(webhook, "sideEffects", field, ["None", "NoneOnDryRun"])),
    ...(kind === "mutating" ? oneOf(webhook, "reinvocationPolicy", field, ["IfNeeded", "Never"]) : []),
    ...(outOfRange
      ? [invalid(`${field}.timeoutSeconds`, timeout, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...clientProblems(objectAt(webhook, "clientConfig"), `${field}.clientConfig`),
    ...conditionProblems(webhook, `${field}.matchConditions`),
    ...reviewVersionProblems(webhook, `${field}.admissionReviewVersions`),
  ];
}

function nameProblems(name: string, field: string): readonly FieldCause[] {
  if (name === "") return [required(field)];
  if (name.split(".").length >= 3) return [];
  return [invalid(field, name, "should be a domain with at least three segments separated by dots")];
}

function oneOf(webhook: JsonObject, name: string, field: string, words: readonly string[]): readonly FieldCause[] {
  const value = webhook[name];
  return value === undefined || (typeof value === "string" && words.includes(value))
    ? []
    : [notSupported(`${field}.${name}`, value, words)];
}

function clientProblems(clientConfig: JsonObject, field: string): readonly FieldCause[] {
  const { url, service } = clientConfig;
  if ((url === undefined) === (service === undefined))
    return [required(field, "exactly one of url or service is required")];
  if (url === undefined) {
    const words = objectAt(clientConfig, "service");
    return ["name", "namespace"]
      .filter((name) => stringAt(words, name) === "")
      .map((name) => required(`${field}.service.${name}`));
  }
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return [required(`${field}.url`, "url parse error; desired format: https://host[/path]")];
  const scheme = parsed.protocol.slice(0, -1);
  const query = parsed.search.slice(1);
  return [
    ...(scheme === "https"
      ? []
      : [
          invalid(
            `${field}.url`,
            scheme,
            "'https' is the only allowed URL scheme; desired format: https://host[/path]",
          ),
        ]),
    ...(query === "" ? [] : [invalid(`${field}.url`, query, "query parameters are not permitted in the URL")]),
  ];
}

function conditionProblems(webhook: JsonObject, field: string): readonly FieldCause[] {
  return objectsAt(webhook, "matchConditions").flatMap((condition, i, all) => {
    const [name, expression] = [stringAt(condition, "name"), stringAt(condition, "expression")];
    const problem = expression === "" ? undefined : conditionProblem(expression);
    return [
      ...(expression === "" ? [required(`${field}[${i}].expression`)] : []),
      ...(problem === undefined ? [] : [invalid(`${field}[${i}].expression`, expression, problem)]),
      ...(name === "" ? [required(`${field}[${i}].name`)] : []),
      ...(all.findIndex((other) => stringAt(other, "name") === name) < i
        ? [duplicate(`${field}[${i}].name`, name)]
        : []),
    ];
  });
}

function reviewVersionProblems(webhook: JsonObject, field: string): readonly FieldCause[] {
  const versions = stringsAt(webhook, "admissionReviewVersions");
  if (versions.length === 0) return [required(field, "must specify one of v1, v1beta1")];
  return versions.some((version) => version === "v1")
    ? []
    : [invalid(field, versions, "must include at least one of v1, v1beta1")];
}
