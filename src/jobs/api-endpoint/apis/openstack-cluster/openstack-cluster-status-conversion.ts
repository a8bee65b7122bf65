// The status of an OpenStackCluster between v1beta1 and v1beta2: failure domains as map and as list, conditions with and without a
// severity, and `ready`, which only v1beta1 has and which says no more than `initialization.provisioned`.

import type { JsonRecord } from "../../../../apis/text/json-path.ts";
import { isRecord } from "../../../../apis/text/problem.ts";

/** v1beta2 wants a reason with every condition. */
const unnamedReason = "NotSpecified";

export function toV1beta2Status(status: JsonRecord): JsonRecord {
  const {
    ready: _ready,
    failureReason: _reason,
    failureMessage: _message,
    failureDomains,
    conditions,
    ...others
  } = status;
  return {
    ...others,
    ...(failureDomains === undefined ? {} : { failureDomains: domainList(failureDomains) }),
    ...(conditions === undefined ? {} : { conditions: mapItems(conditions, toV1beta2Condition) }),
  };
}

export function fromV1beta2Status(status: JsonRecord): JsonRecord {
  const { ready: _unknown, failureReason: _r, failureMessage: _m, failureDomains, conditions, ...others } = status;
  const { initialization } = status;
  return {
    ...others,
    ready: isRecord(initialization) && initialization["provisioned"] === true,
    ...(failureDomains === undefined ? {} : { failureDomains: domainMap(failureDomains) }),
    ...(conditions === undefined ? {} : { conditions: mapItems(conditions, fromV1beta2Condition) }),
  };
}

function domainList(domains: unknown): unknown {
  if (!isRecord(domains)) return [];
  return Object.keys(domains)
    .toSorted()
    .map((name) => ({ ...(isRecord(domains[name]) ? domains[name] : {}), name }));
}

function domainMap(domains: unknown): unknown {
  if (!Array.isArray(domains)) return {};
  return Object.fromEntries(
    domains.filter(isRecord).map(({ name, ...domain }) => [typeof name === "string" ? name : "", domain]),
  );
}

function toV1beta2Condition({ severity: _, ...condition }: JsonRecord): JsonRecord {
  const { reason, message } = condition;
  return {
    ...condition,
    reason: typeof reason === "string" && reason !== "" ? reason : unnamedReason,
    message: typeof message === "string" ? message : "",
  };
}

function fromV1beta2Condition({ severity: _, ...condition }: JsonRecord): JsonRecord {
  return condition;
}

function mapItems(list: unknown, change: (item: JsonRecord) => JsonRecord): unknown {
  return Array.isArray(list) ? list.map((item: unknown) => (isRecord(item) ? change(item) : item)) : list;
}
