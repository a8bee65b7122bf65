import { describe, expect, it } from "vitest";
import { type CustomResourceDefinition, webhookConversion } from "../apis/kube/crd.ts";
import type { KubeObject } from "../apis/kube/kube-object.ts";
import { openStackClusterCrd } from "../jobs/api-endpoint/apis/openstack-cluster/openstack-cluster-crd.ts";
import { planDefinition } from "./definition-plan.ts";
import type { Definition } from "./job/declaration.ts";

const plain = openStackClusterCrd();
const conversion = webhookConversion({ url: "https://webhook.example.com/convert" });
const converting = openStackClusterCrd(conversion);
const brought = (crd: CustomResourceDefinition): Definition => ({ crd, withConversion: openStackClusterCrd });
const older = (definition: KubeObject): KubeObject => ({
  ...definition,
  metadata: { ...definition.metadata, annotations: { "mainstay.dev/crd-revision": "0" } },
});

describe("a definition that is there already", () => {
  it("is left alone without our mark, whatever it says", () => {
    const foreign = { ...converting, metadata: { ...converting.metadata, labels: {} } };
    expect(planDefinition(brought(plain), foreign)).toEqual({ do: "nothing", because: "foreign" });
  });

  it("keeps its conversion webhook, and the version that depends on it, when it is renewed", () => {
    expect(planDefinition(brought(plain), older(converting))).toEqual({ do: "renew", definition: converting });
    expect(planDefinition(brought(plain), converting)).toEqual({ do: "nothing", because: "current" });
  });

  it("gets another webhook when one is wanted", () => {
    expect(planDefinition(brought(converting), plain)).toEqual({ do: "renew", definition: converting });
    const moved = openStackClusterCrd(webhookConversion({ url: "https://elsewhere.example.com/convert" }));
    expect(planDefinition(brought(moved), converting)).toEqual({ do: "renew", definition: moved });
  });

  it("is current although somebody injected the webhook's authority", () => {
    const injected = openStackClusterCrd(webhookConversion({ ...conversion.webhook.clientConfig, caBundle: "Q0E=" }));
    expect(planDefinition(brought(converting), injected)).toEqual({ do: "nothing", because: "current" });
  });
});
