// Every sample of the api-endpoint job is taken as it stands, with admission and without a warning.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "../../../src/apis/kube/kube-object.ts";
import { rawRequest } from "../../contract/kube/raw-request.ts";
import { type ApiTarget, freshNamespace } from "./api-world.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "deploy", "samples");
const samples = [
  "openstackcluster-zones.yaml",
  "openstackcluster-cross-zone.yaml",
  "openstackcluster-single.yaml",
  "openstackcluster-beside-apiendpoint.yaml",
  "apiendpoint-beside-capo.yaml",
];

export function samplesContract(get: () => ApiTarget): void {
  let namespace: string;
  beforeAll(async () => {
    namespace = await freshNamespace(get().session);
  });

  it.each(samples)("%s", async (file) => {
    const documents = parseAllDocuments(readFileSync(join(folder, file), "utf8"));
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) {
      const sample = document.toJS() as KubeObject;
      const object = { ...sample, metadata: { ...sample.metadata, namespace } };
      const plural = `${sample.kind.toLowerCase()}s`;
      const path = `/apis/${sample.apiVersion}/namespaces/${namespace}/${plural}?fieldValidation=Strict`;
      const write = { method: "POST", body: object };
      const answer = await rawRequest(get().session.transport, path, {}, write);
      expect([answer.status, answer.headers["warning"]]).toEqual([201, undefined]);
    }
  });
}
