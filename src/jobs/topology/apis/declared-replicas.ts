// How many machines somebody declared a cluster to have. Declared, never counted.

import { type Checked, isNot, type Problem } from "../../../apis/text/problem.ts";

export interface DeclaredReplicas {
  /** `external`: the control plane runs outside the cluster. */
  readonly controlPlane: number | "external";
  /** One entry per pool; pools are summed. */
  readonly workers: readonly number[];
  readonly arbiters: number;
}

export const replicaSources = ["install-config", "flags", "cluster-config-v1", "cluster-api", "profile"] as const;
/** Kinds of sources. The name of a profile or of a file is no part of it: neither reaches any object. */
export type ReplicaSource = (typeof replicaSources)[number];

export function workerCount({ workers }: DeclaredReplicas): number {
  return workers.reduce((sum, replicas) => sum + replicas, 0);
}

/** Stands for a count that could not be used: rules about several counts say nothing about it, its own problem is reported. */
export const unusable = Number.NaN;

/** A whole number of machines, or the problem with it. */
export function checkReplicas(where: string, value: unknown): number | Problem {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    return {
      where,
      message: isNot(value, "a whole number"),
      hint: "Write how many machines there are, such as 3.",
    };
  }
  if (value < 0) return { where, message: `${value} is negative`, hint: "Write 0 or more." };
  return value;
}

/** Rules that concern several counts at once. */
export function checkTogether(
  declared: DeclaredReplicas,
  where: { controlPlane: string; arbiters: string },
): Problem[] {
  const { controlPlane, arbiters } = declared;
  const problems: Problem[] = [];
  if (controlPlane === 0) {
    problems.push({
      where: where.controlPlane,
      message: "0 control-plane machines make no cluster",
      hint: "Write 1 or more, or say that the control plane is external when it runs outside this cluster.",
    });
  }
  if (arbiters > 0 && (controlPlane === "external" || controlPlane === 1)) {
    problems.push({
      where: where.arbiters,
      message: `${arbiters} arbiters have nothing to arbitrate beside ${controlPlane === 1 ? "1 control-plane machine" : "an external control plane"}`,
      hint: "Remove the arbiters or declare at least 2 control-plane machines.",
    });
  }
  return problems;
}

export function checked<T>(value: T, problems: readonly Problem[], notes: readonly string[] = []): Checked<T> {
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value, notes };
}
