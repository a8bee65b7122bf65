// Installs our CustomResourceDefinitions and waits until the API server serves them. Definitions of others stay as they are.

import { customResourceDefinitions } from "../apis/kube/builtin-kinds.ts";
import type { CustomResourceDefinition } from "../apis/kube/crd.ts";
import { isRecord } from "../apis/text/problem.ts";
import { planDefinition } from "../core/definition-plan.ts";
import { MainstayError } from "../core/errors.ts";
import type { Definition } from "../core/job/declaration.ts";
import { isKubeError } from "../core/kube-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { Kube } from "../ports/kube.ts";

export interface InstalledCrd {
  readonly name: string;
  readonly result: "created" | "renewed" | "current" | "foreign" | "newer";
}

const establishPollMs = 100;
const establishTries = 100;
const maxAttempts = 5;

export async function installCrds(
  kube: Kube,
  clock: Clock,
  definitions: readonly Definition[],
): Promise<readonly InstalledCrd[]> {
  const installed: InstalledCrd[] = [];
  for (const definition of definitions) installed.push(await install(kube, clock, definition));
  return installed;
}

async function install(kube: Kube, clock: Clock, definition: Definition): Promise<InstalledCrd> {
  const { name } = definition.crd.metadata;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await bring(kube, definition);
      // Also for one that is up to date: whoever installed it may have stopped before it was served.
      if (result !== "foreign" && result !== "newer") await untilEstablished(kube, clock, name);
      return { name, result };
    } catch (error) {
      // Somebody else changed it first: read what is there now.
      if (attempt === maxAttempts || !isKubeError(error, "Conflict", "AlreadyExists")) throw error;
    }
  }
}

async function bring(kube: Kube, definition: Definition): Promise<InstalledCrd["result"]> {
  const { name } = definition.crd.metadata;
  const existing = await kube.get(customResourceDefinitions, { name }).catch((error: unknown) => {
    if (isKubeError(error, "NotFound")) return undefined;
    throw error;
  });
  const plan = planDefinition(definition, existing);
  if (plan.do === "nothing") return plan.because;
  if (plan.do === "create") await kube.create(customResourceDefinitions, plan.definition);
  else await renew(kube, plan.definition, existing?.metadata.resourceVersion);
  return plan.do === "create" ? "created" : "renewed";
}

/** Replaces our own definition, guarded by the resource version that was read. */
async function renew(
  kube: Kube,
  definition: CustomResourceDefinition,
  resourceVersion: string | undefined,
): Promise<void> {
  const { name } = definition.metadata;
  const { labels, annotations } = definition.metadata;
  const body = { metadata: { resourceVersion, labels, annotations }, spec: definition.spec };
  await kube.patch(customResourceDefinitions, { name }, { type: "merge", body });
}

async function untilEstablished(kube: Kube, clock: Clock, name: string): Promise<void> {
  for (let attempt = 0; attempt < establishTries; attempt += 1) {
    if (isEstablished(await kube.get(customResourceDefinitions, { name }))) return;
    await new Promise<void>((resolve) => void clock.after(establishPollMs, resolve));
  }
  throw new MainstayError({
    reason: "KindNotServed",
    message: `CustomResourceDefinition ${name}: the API server does not serve it after ${(establishTries * establishPollMs) / 1000} s`,
    hint: `Look at its conditions: kubectl get crd ${name} -o yaml`,
  });
}

function isEstablished(crd: unknown): boolean {
  const status = isRecord(crd) && isRecord(crd["status"]) ? crd["status"] : {};
  const conditions = Array.isArray(status["conditions"]) ? status["conditions"] : [];
  return conditions.some(
    (condition) => isRecord(condition) && condition["type"] === "Established" && condition["status"] === "True",
  );
}
