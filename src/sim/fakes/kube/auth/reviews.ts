// Questions a client may ask about users and rights: whose token is this, who am I, may I, may they, what may I.
// Nothing is stored; the answer is the question with its status filled in.

import { present } from "../../../../core/present.ts";
import type { JsonObject } from "../json.ts";
import { stringsAt } from "../json-lists.ts";
import { isJsonObject, objectAt, stringAt } from "../schema/json-value.ts";
import { issuer } from "./account-tokens.ts";
import { checkToken, type TokenAuthorities } from "./authenticate.ts";
import { authorize, masters, type RbacPolicy, type RequestAttributes } from "./authorize.ts";
import { rulesFor } from "./policy-rules.ts";
import { badReview, invalidReview } from "./review-refusals.ts";
import type { UserInfo } from "./user-info.ts";

export interface ReviewContext {
  /** Who asks. */
  readonly user: UserInfo;
  readonly authorities: TokenAuthorities;
  readonly rbac: RbacPolicy;
  /** ISO 8601, seconds. */
  readonly nowIso: string;
}

type Review = (object: JsonObject, context: ReviewContext) => JsonObject;

const reviews: Readonly<Record<string, Review>> = {
  TokenReview: tokenReview,
  SelfSubjectReview: selfSubjectReview,
  SubjectAccessReview: subjectAccessReview,
  LocalSubjectAccessReview: localSubjectAccessReview,
  SelfSubjectAccessReview: selfSubjectAccessReview,
  SelfSubjectRulesReview: selfSubjectRulesReview,
};

export function isReview(kind: string): boolean {
  return Object.hasOwn(reviews, kind);
}

/** The question as posted, its namespace filled in; the answer is the same with `status`, or a `Status` that refuses it. */
export function review(kind: string, object: JsonObject, context: ReviewContext): JsonObject {
  const answer = reviews[kind];
  return answer === undefined ? badReview(`${kind} is not a review`) : answer(object, context);
}

function tokenReview(object: JsonObject, { authorities }: ReviewContext): JsonObject {
  const spec = objectAt(object, "spec");
  const token = stringAt(spec, "token");
  if (token === "") return badReview("token is required for TokenReview in authentication");
  const asked = stringsAt(spec, "audiences");
  const checked = checkToken(token, asked.length === 0 ? [issuer] : asked, authorities);
  const status =
    "user" in checked
      ? { authenticated: true, user: userJson(checked.user), audiences: checked.audiences }
      : { user: {}, error: checked.problem };
  return { ...object, status };
}

function selfSubjectReview(object: JsonObject, { user, nowIso }: ReviewContext): JsonObject {
  return { ...object, metadata: { creationTimestamp: nowIso }, status: { userInfo: userJson(user) } };
}

function selfSubjectAccessReview(object: JsonObject, { user, rbac }: ReviewContext): JsonObject {
  const attributes = attributesOf(objectAt(object, "spec"));
  return attributes === undefined ? exactlyOne() : decided(object, user, attributes, rbac);
}

function subjectAccessReview(object: JsonObject, { rbac }: ReviewContext): JsonObject {
  const spec = objectAt(object, "spec");
  const attributes = attributesOf(spec);
  if (attributes === undefined) return exactlyOne();
  const subject = { username: stringAt(spec, "user"), groups: stringsAt(spec, "groups") };
  if (subject.username === "" && subject.groups.length === 0) {
    return invalidReview("spec.user", '""', "at least one of user or group must be specified");
  }
  return decided(object, subject, attributes, rbac);
}

function localSubjectAccessReview(object: JsonObject, context: ReviewContext): JsonObject {
  const asked = stringAt(objectAt(objectAt(object, "spec"), "resourceAttributes"), "namespace");
  if (asked !== stringAt(objectAt(object, "metadata"), "namespace")) {
    return invalidReview("spec.resourceAttributes.namespace", JSON.stringify(asked), "must match metadata.namespace");
  }
  return subjectAccessReview(object, context);
}

function selfSubjectRulesReview(object: JsonObject, { user, rbac }: ReviewContext): JsonObject {
  const namespace = stringAt(objectAt(object, "spec"), "namespace");
  if (namespace === "") return badReview("no namespace on request");
  const { granted, missing } = rulesFor(user, namespace, rbac);
  const rules = granted.map(({ rule }) => rule);
  const status = {
    resourceRules: rules.filter((rule) => rule["resources"] !== undefined),
    nonResourceRules: rules.filter((rule) => rule["nonResourceURLs"] !== undefined),
    incomplete: missing.length > 0,
    ...(missing.length === 0 ? {} : { evaluationError: missing.join(", ") }),
  };
  return { ...object, spec: {}, status };
}

function attributesOf(spec: JsonObject): RequestAttributes | undefined {
  const [resource, path] = [spec["resourceAttributes"], spec["nonResourceAttributes"]];
  if (isJsonObject(resource) && path === undefined) {
    return {
      verb: stringAt(resource, "verb"),
      group: stringAt(resource, "group"),
      version: stringAt(resource, "version"),
      resource: stringAt(resource, "resource"),
      subresource: stringAt(resource, "subresource"),
      name: stringAt(resource, "name"),
      namespace: stringAt(resource, "namespace"),
    };
  }
  if (!isJsonObject(path) || resource !== undefined) return undefined;
  return { verb: stringAt(path, "verb"), path: stringAt(path, "path") };
}

function decided(object: JsonObject, user: UserInfo, attributes: RequestAttributes, rbac: RbacPolicy): JsonObject {
  const { allowed, reason } = authorize(user, attributes, rbac);
  return { ...object, status: { allowed, ...(reason === "" || user.groups.includes(masters) ? {} : { reason }) } };
}

function exactlyOne(): JsonObject {
  const message = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return invalidReview("spec.resourceAttributes", "null", message);
}

function userJson({ username, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username,
    ...present({ uid }),
    groups,
    ...present({ extra }),
  };
}
