// Somebody else changes an object right before our write to it arrives: a foreign annotation, which nobody of ours looks at.

import { isKubeError } from "../../core/kube-error.ts";
import type { Kube } from "../../ports/kube.ts";
import type { PortCall } from "../network/port-call.ts";
import type { Trace } from "../run/trace.ts";

export async function racingWrite(
  kube: Kube,
  trace: Trace,
  { path, verb, purpose, target, sentMs }: PortCall,
): Promise<void> {
  if (verb === "POST" || purpose === "event" || purpose === "lease") return;
  const [where = ""] = path.split("?", 1);
  const body = { metadata: { annotations: { "example.com/touched": `${target} ${sentMs}` } } };
  try {
    await kube.request({
      method: "PATCH",
      path: where.replace(/\/status$/, ""),
      contentType: "application/merge-patch+json",
      body,
    });
    trace.write("somebody", `touches ${target}`);
  } catch (error) {
    if (!isKubeError(error, "NotFound", "Conflict")) throw error;
  }
}
