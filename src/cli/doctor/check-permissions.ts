// Does the user of the kubeconfig, or a service account, have the permissions the controllers need? The API server decides.

import { serviceAccounts } from "../../apis/kube/builtin-kinds.ts";
import { formatRef, resourceName } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { MainstayError } from "../../core/errors.ts";
import type { Permission } from "../../core/job/permission.ts";
import { isKubeError } from "../../core/kube-error.ts";
import { present } from "../../core/present.ts";
import type { Kube } from "../../ports/kube.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

const deadlineMs = 10_000;

export async function checkPermissions(
  kube: Kube,
  who: { readonly part: string; readonly role: string; readonly account?: Account },
  wanted: readonly Permission[],
): Promise<readonly Finding[]> {
  const check = `permissions of ${who.part}`;
  const subject =
    who.account === undefined ? "this user" : `the service account ${who.account.namespace}/${who.account.name}`;
  const grant = `Apply ${who.role}, and bind its role to ${subject}.`;
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
        : [warn(check, `missing, but optional: ${dispensable.map(wordsOf).join(", ")}`, grant)]),
    ];
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return [fail(check, `cannot be checked: ${error.message}`, "Ask for the right to create access reviews.")];
  }
}

/** The API server answers for accounts that do not exist, too: a misspelt name would look like missing permissions. */
export async function checkAccount(kube: Kube, account: Account, role: string): Promise<readonly Finding[]> {
  const check = `account ${formatRef(account)}`;
  try {
    await kube.get(serviceAccounts, account);
    return [ok(check, "exists")];
  } catch (error) {
    if (isKubeError(error, "NotFound"))
      return [fail(check, "there is no such service account", `Correct its name, or apply ${role}.`)];
    if (isKubeError(error, "Forbidden"))
      return [warn(check, "may not be read", "Ask for the right to get serviceaccounts there.")];
    throw error;
  }
}

async function mayI(kube: Kube, wanted: Permission, account: Account | undefined) {
  const { kind, subresource, verb, namespace, name } = wanted;
  const resourceAttributes = {
    group: kind.group,
    resource: kind.plural,
    verb,
    ...present({ subresource, namespace, name }),
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

function wordsOf({ kind, subresource, verb, namespace, name }: Permission): string {
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  const which = name === undefined ? "" : ` ${name}`;
  return `${verb} ${resourceName(kind)}${subresource === undefined ? "" : `/${subresource}`}${which}${where}`;
}
