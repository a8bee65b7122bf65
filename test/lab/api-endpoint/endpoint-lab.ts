// A management cluster for one suite, as a user builds it: an API server, Cluster API's managers, our definitions, webhooks and roles,
// `mainstay controller` under those roles, and a project of its own in a real OpenStack. Infrastructure machines are played by the test:
// CAPO's machine controller is nobody's business here.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { validatingWebhookConfiguration } from "../../../src/apis/kube/webhook-configuration.ts";
import { apiEndpointJob } from "../../../src/jobs/api-endpoint/job.ts";
import type { Kube } from "../../../src/ports/kube.ts";
import { openSession } from "../../contract/targets/kubeconfig-session.ts";
import type { ClusterApiLab, OpenStackLab } from "../../lab.ts";
import { startPrivateKube } from "../../private-kube.ts";
import { type OwnProject, openProject } from "../openstack/own-project.ts";
import { namespace } from "./cluster-objects.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";
import { credentials, install, webhookAt } from "./install.ts";
import { type Kubectl, kubectlFor } from "./kubectl.ts";
import { startClusterApi } from "./own-cluster-api.ts";

export interface EndpointLab {
  readonly kube: Kube;
  readonly project: OwnProject;
  readonly controller: ControllerProcess;
  readonly kubeconfig: string;
  readonly kubectl: Kubectl;
  /** One of deploy/samples with the ids of this project, in the suite's namespace, as an object to apply. */
  sample(file: string): KubeObject & { readonly spec: Readonly<Record<string, unknown>> };
  /** One more project, in whichever cloud, with its credentials in a Secret of this name. It goes with the lab. */
  addProject(openStack: OpenStackLab, secret: string): Promise<OwnProject>;
  close(): Promise<void>;
}

export async function openLab(clusterApi: ClusterApiLab, openStack: OpenStackLab): Promise<EndpointLab> {
  const closing: (() => Promise<unknown> | void)[] = [];
  const close = async () => {
    for (const task of closing.toReversed()) await task();
  };
  const projectIn = (cloud: OpenStackLab) => {
    const opening = openProject(cloud);
    closing.push(async () => (await opening).remove());
    return opening;
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "mainstay-endpoint-"));
    closing.push(() => (process.env["KEEP_LOG"] ? undefined : rmSync(folder, { recursive: true, force: true })));
    const opening = projectIn(openStack);
    const server = await startPrivateKube(clusterApi.kube, { withControllers: true });
    closing.push(() => server.close());
    const { lab } = server;
    const session = await openSession({
      admin: lab.kubeconfig,
      restricted: lab.controllerKubeconfig,
      restrictedToken: lab.tokens.controller,
    });
    closing.push(() => session.close());
    closing.push(await startClusterApi(clusterApi, lab));
    const project = await opening;
    const kubectl = kubectlFor(lab.kubectl, lab.kubeconfig);
    const webhook = await webhookAt(folder);
    await install(kubectl, webhook);
    await kubectl(["apply", "-f", "-"], credentials("my-cluster-cloud-config", project));
    const controller = await startController(folder, {
      kubeconfig: lab.controllerKubeconfig,
      // It is alone. A write may take no longer than its lease lasts, and the lab on a busy machine does take longer.
      leaderElection: { enabled: false },
      health: { port: 0 },
      webhook: webhook.settings,
      apiEndpoint: { observeAgainSeconds: 3 },
      controllers: { topology: { enabled: false } },
    });
    closing.push(() => controller.stop());
    // Last, as it refuses what nobody can judge yet.
    await kubectl(
      ["apply", "-f", "-"],
      validatingWebhookConfiguration(apiEndpointJob.admission, webhook.clientConfigAt),
    );
    return {
      kube: session.admin,
      project,
      controller,
      kubeconfig: lab.kubeconfig,
      kubectl,
      sample: (file) => sampleOf(file, project),
      async addProject(cloud, secret) {
        const added = await projectIn(cloud);
        await kubectl(["apply", "-f", "-"], credentials(secret, added));
        return added;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function sampleOf(file: string, { networkId, subnetIds }: OwnProject): ReturnType<EndpointLab["sample"]> {
  const ids: Readonly<Record<string, string>> = {
    "6c90b532-7ba0-418a-a276-5ae55060b5b0": networkId,
    "0b7e4c1d-6a55-4a0c-9a57-0f1de2d5a7c1": networkId,
    "cad5a91a-36de-4388-823b-b0cc82cadfdc": subnetIds[0],
    "e2407c18-c4e7-4d3d-befa-8eec5d8756f2": subnetIds[1],
  };
  const samples = join(import.meta.dirname, "..", "..", "..", "deploy", "samples");
  const text = readFileSync(join(samples, file), "utf8");
  const filled = Object.entries(ids).reduce((said, [from, to]) => said.replaceAll(from, to), text);
  const object = parse(filled) as ReturnType<EndpointLab["sample"]>;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
