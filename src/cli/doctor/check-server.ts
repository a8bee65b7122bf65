// Does the API server answer, does it accept our credentials, which version is it, and do its clock and ours agree?

import { MainstayError } from "../../core/errors.ts";
import { textAt } from "../../core/views/explained.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Older servers lack what Mainstay relies on, or are no longer tested. */
const oldestMinor = 30;
const toleratedSkewMs = 5_000;
const deadlineMs = 10_000;

export async function checkServer(kube: Kube, clock: Clock): Promise<readonly Finding[]> {
  try {
    const sentMs = clock.monotonicMs();
    const version = await kube.request({ method: "GET", path: "/version", deadlineMs });
    const tookMs = Math.round(clock.monotonicMs() - sentMs);
    if (textAt(version, "gitVersion") === "") return [noApiServer];
    const answered = ok("reachability", `the API server answers in ${tookMs} ms`);
    return [answered, versionFinding(version), ...(await checkIdentity(kube, clock))];
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    // Every API server has a version.
    if (error.reason === "ObjectNotFound" || error.reason === "RequestRejected") return [noApiServer];
    const fix = error.hint ?? "Check the kubeconfig's server and the way to it.";
    // A server that refuses us is reachable.
    return [fail(error.reason === "NotAuthenticated" ? "identity" : "reachability", error.message, fix)];
  }
}

const noApiServer = fail(
  "reachability",
  "something answers at the kubeconfig's server, but it is no Kubernetes API server",
  "Correct the server's address in the kubeconfig.",
);

function versionFinding(version: unknown): Finding {
  const text = textAt(version, "gitVersion");
  const minor = Number(/^v1\.(\d+)/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(minor))
    return warn("version", `the server does not say which version it is ("${text}")`, "Run kubectl version.");
  if (minor < oldestMinor)
    return warn("version", `the server is ${text}; Mainstay is tested from v1.${oldestMinor}`, "Upgrade the cluster.");
  return ok("version", `the server is ${text}`);
}

/** The answer to "who am I" carries the server's time, in whole seconds. */
async function checkIdentity(kube: Kube, clock: Clock): Promise<readonly Finding[]> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  try {
    const answer = await kube.request({ method: "POST", path, body, deadlineMs });
    const name = textAt(answer, "status", "userInfo", "username");
    const serverMs = Date.parse(textAt(answer, "metadata", "creationTimestamp"));
    return [ok("identity", `you are ${name}`), skewFinding(serverMs, clock.nowMs())];
  } catch (error) {
    if (!(error instanceof MainstayError)) throw error;
    return [fail("identity", error.message, "Check the credentials of the kubeconfig.")];
  }
}

function skewFinding(serverMs: number, nowMs: number): Finding {
  if (Number.isNaN(serverMs))
    return warn("clock", "the server does not report its time", "Compare the clocks by hand.");
  const skewMs = nowMs - serverMs;
  const words = `${Math.abs(skewMs / 1_000).toFixed(0)} s ${skewMs > 0 ? "ahead of" : "behind"} the server's`;
  return Math.abs(skewMs) <= toleratedSkewMs
    ? ok("clock", "this machine's clock agrees with the server's")
    : warn(
        "clock",
        `this machine's clock is ${words}`,
        "Let both follow a time server; certificates and tokens depend on it.",
      );
}
