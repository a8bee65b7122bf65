// May we do what the controllers have to do? Kubernetes' own answer, for the user of the kubeconfig or for a service account.

import { resourceName } from "../../apis/kube-object.ts";
import { isRecord } from "../../apis/problem.ts";
import type { Permission } from "../../controllers/permissions.ts";
import { MainstayError } from "../../core/errors.ts";
import type { Kube } from "../../ports/kube.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

const deadlineMs = 10_000;

export async function checkPermissions(
  kube: Kube,
  who: { readonly controller: string; readonly account?: Account },
  wanted: readonly Permission[],
): Promise<readonly Finding[]> {
  const check = `permissions of ${who.controller}`;
  const grant = `Bind the role of deploy/rbac for ${who.controller} to ${who.account === undefined ? "this user" : `the service account ${who.account.namespace}/${who.account.name}`}.`;
  try {
    const answers = await Promise.all(
      wanted.map(async (one) => ({ one, allowed: await mayI(kube, one, who.account) })),
    );
    const denied = answers.filter(({ allowed }) => !allowed).map(({ one }) => one);
    if (denied.length === 0) return [ok(check, `all ${wanted.length} are granted`)];
    const needed = denied.filter(({ optional }) => optional !== true);
    const dispensable = denied.filter(({ optional }) => optional === true);
    return [
      ...(needed.length === 0 ? [] : [fail(check, `missing: ${needed.map(wordsOf).join(", ")}`, grant)]),
      ...(dispensable.length === 0
        ? []
        : [warn(check, `missing, and done without: ${dispensable.map(wordsOf).join(", ")}`, grant)]),
    ];
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return [fail(check, `cannot be asked: ${error.message}`, "Ask for the right to create access reviews.")];
  }
}

async function mayI(kube: Kube, { kind, subresource, verb, namespace }: Permission, account: Account | undefined) {
  const resourceAttributes = {
    group: kind.group,
    resource: kind.plural,
    verb,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const review = account === undefined ? "SelfSubjectAccessReview" : "SubjectAccessReview";
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind: review,
    spec: { resourceAttributes, ...(account === undefined ? {} : subjectOf(account)) },
  };
  const path = `/apis/authorization.k8s.io/v1/${review.toLowerCase()}s`;
  const answer = await kube.request({ method: "POST", path, body, deadlineMs });
  return isRecord(answer) && isRecord(answer["status"]) && answer["status"]["allowed"] === true;
}

function subjectOf({ namespace, name }: Account) {
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  };
}

function wordsOf({ kind, subresource, verb, namespace }: Permission): string {
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  return `${verb} ${resourceName(kind)}${subresource === undefined ? "" : `/${subresource}`}${where}`;
}
