// Where tests ask for real parts. A part that does not answer skips its suites with a reason and the command that
// brings it, and with LAB=required it fails them. Nothing else in the tests knows where the lab lives.

import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

export interface KubeLab {
  readonly available: true;
  /** Address of the API server, such as https://127.0.0.1:16443. */
  readonly server: string;
  /** PEM of the certificate authority that signed the server. */
  readonly ca: string;
  /** Paths: admin by client certificate, admin by token, user `controller` (group `controllers`, no rights until bound). */
  readonly kubeconfig: string;
  readonly tokenKubeconfig: string;
  readonly controllerKubeconfig: string;
  readonly tokens: { readonly admin: string; readonly controller: string };
  /** kubectl, kube-apiserver, kube-controller-manager and etcd, for tests that start a server of their own. */
  readonly binDir: string;
  readonly kubectl: string;
}

export interface Missing {
  readonly available: false;
  readonly why: string;
  /** The command that brings the part. */
  readonly how: string;
}

/** A part of the lab: asks once whether it answers. */
export type LabPart<T extends { readonly available: true }> = () => Promise<T | Missing>;

const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "mainstay", "kube");
const runDir = process.env["MAINSTAY_LAB_KUBE"] || join(cache, "run");

const kubeconfigSchema = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ server: z.url(), "certificate-authority-data": z.string() }) })]),
  users: z.tuple([z.object({ user: z.object({ token: z.string() }) })]),
});

/** The Kubernetes lab of `make lab`, or why it cannot be used. Asked once in a worker. */
export const labKube: LabPart<KubeLab> = once(() => probeKube(runDir));

/** As `labKube`, for a lab in a run directory of the caller's own. */
export async function probeKube(run: string): Promise<KubeLab | Missing> {
  const path = (name: string) => join(run, name);
  if (!existsSync(path("kubeconfig.token"))) return missingKube("the Kubernetes lab has never been started");
  try {
    const admin = readKubeconfig(path("kubeconfig.token"));
    const controller = readKubeconfig(path("kubeconfig.controller"));
    const status = await readyz(admin);
    if (status !== 200) return missingKube(`the lab's API server at ${admin.server} answers ${status} to /readyz`);
    const binDir = binariesOf(run);
    return {
      available: true,
      server: admin.server,
      ca: admin.ca,
      kubeconfig: path("kubeconfig"),
      tokenKubeconfig: path("kubeconfig.token"),
      controllerKubeconfig: path("kubeconfig.controller"),
      tokens: { admin: admin.token, controller: controller.token },
      binDir,
      kubectl: join(binDir, "kubectl"),
    };
  } catch (error) {
    return missingKube(
      `the lab's API server does not answer (${error instanceof Error ? error.message : String(error)})`,
    );
  }
}

/**
 * A suite that needs a real part. `body` gets the part and registers tests as in `describe`. Without the part there is
 * one test in its place: skipped with the reason, or failing when LAB=required.
 */
export function describeLab<T extends { readonly available: true }>(
  name: string,
  part: LabPart<T>,
  body: (part: T) => void | Promise<void>,
): void {
  describe(name, async () => {
    const found = await part();
    if (found.available) return body(found);
    const reason = `${found.why}; to get it: ${found.how}`;
    test("needs the lab", (context) => {
      if (labRequired()) throw new Error(`LAB=required, but ${reason}`);
      context.skip(reason);
    });
  });
}

/** CI asks for every part: what cannot run must fail, not look green. */
export function labRequired(): boolean {
  return process.env["LAB"] === "required";
}

function missingKube(why: string): Missing {
  return { available: false, why, how: "make lab" };
}

interface Access {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

function readKubeconfig(path: string): Access {
  const { clusters, users } = kubeconfigSchema.parse(parse(readFileSync(path, "utf8")));
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  return { server, ca: Buffer.from(ca, "base64").toString("utf8"), token: users[0].user.token };
}

function readyz({ server, ca, token }: Access): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${server}/readyz`, { ca, headers: { authorization: `Bearer ${token}` }, timeout: 10_000 });
    call.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("timeout", () => call.destroy(new Error(`no answer from ${server} in 10 s`)));
    call.on("error", reject);
    call.end();
  });
}

/** up.sh notes where its binaries came from: the cache, or KUBEBUILDER_ASSETS. */
function binariesOf(run: string): string {
  const note = join(run, "bin-dir");
  return existsSync(note) ? readFileSync(note, "utf8").trim() : join(cache, "bin");
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
