// What kubectl says to specs that cannot be: from the definition's rules and from the webhook of the running controller alike.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testPatienceMs } from "../until.ts";
import { clusterFor, namespace } from "./cluster-objects.ts";
import type { EndpointLab } from "./endpoint-lab.ts";

interface Refused {
  readonly spec: object;
  readonly words: RegExp;
}

export function admission(get: () => EndpointLab): void {
  const zone = (availabilityZone: string, subnet: number) => ({
    availabilityZone,
    subnet: { id: get().project.subnetIds[subnet - 1] },
  });
  const mapped = (...availabilityZoneSubnets: readonly object[]) => ({
    apiServerLoadBalancer: { availabilityZoneSubnets },
  });
  const host = (name: string) => ({ controlPlaneEndpoint: { host: name } });

  const creations: Readonly<Record<string, () => Refused>> = {
    "a zone twice": () => ({ spec: mapped(zone("az1", 1), zone("az1", 2)), words: /Duplicate value/ }),
    "a subnet twice": () => ({ spec: mapped(zone("az1", 1), zone("az2", 1)), words: /subnet/i }),
    "a mapping without a network": () => ({ spec: { apiServerLoadBalancer: { network: null } }, words: /network/ }),
    "a mapping without a host": () => ({ spec: { controlPlaneEndpoint: null }, words: /host/ }),
    "an IPv4 address as host": () => ({ spec: host("203.0.113.7"), words: /DNS name/ }),
    "an IPv6 address as host": () => ({ spec: host("2001:db8::7"), words: /DNS name/ }),
    "an IPv6 address in brackets as host": () => ({ spec: host("[2001:db8::7]"), words: /DNS name/ }),
    "a port that does not exist": () => ({
      spec: { apiServerLoadBalancer: { additionalPorts: [70_000] } },
      words: /additionalPorts/,
    }),
    "an access list of nothing but mistakes": () => ({
      spec: { apiServerLoadBalancer: { allowedCIDRs: ["everybody"] } },
      words: /allowedCIDRs/,
    }),
    "no credentials": () => ({ spec: { identityRef: { name: "", cloudName: "openstack" } }, words: /identityRef/ }),
  };
  const changes: Readonly<Record<string, () => Refused>> = {
    "another subnet for a zone that stays": () => ({ spec: mapped(zone("az1", 3), zone("az2", 2)), words: /subnet/ }),
    "another host": () => ({ spec: host("other.example.com"), words: /controlPlaneEndpoint.host/ }),
    "another provider": () => ({ spec: { apiServerLoadBalancer: { provider: "ovn" } }, words: /provider/ }),
  };

  describe("admission", () => {
    // Without a Cluster it is nobody's, and nothing is built for it.
    const name = "nobodys";
    beforeAll(async () => {
      const lab = get();
      const object = lab.sample("openstackcluster-zones.yaml");
      await lab.kubectl(["create", "-f", "-"], { ...object, metadata: { ...object.metadata, name } });
    }, testPatienceMs);
    afterAll(() => get().kubectl(["delete", "openstackcluster", "-n", namespace, name]), testPatienceMs);

    it.each(Object.entries(creations))("refuses %s", { timeout: testPatienceMs }, async (_what, refused) => {
      const lab = get();
      const { spec, words } = refused();
      const object = lab.sample("openstackcluster-zones.yaml");
      const asked = lab.kubectl(["create", "--dry-run=server", "-f", "-"], {
        ...object,
        spec: merged(object.spec, spec),
      });
      await expect(asked).rejects.toThrow(words);
    });

    it.each(Object.entries(changes))("refuses to change to %s", { timeout: testPatienceMs }, async (_what, refused) => {
      const { spec, words } = refused();
      const kind = "openstackclusters.v1beta1.infrastructure.cluster.x-k8s.io";
      const asked = get().kubectl([
        "patch",
        kind,
        "-n",
        namespace,
        name,
        "--type=merge",
        "-p",
        JSON.stringify({ spec }),
      ]);
      await expect(asked).rejects.toThrow(words);
    });

    it("takes the example as it is, also for a Cluster that is being made", { timeout: testPatienceMs }, async () => {
      const lab = get();
      await lab.kubectl(
        ["create", "--dry-run=server", "-f", "-"],
        [clusterFor("fresh"), lab.sample("openstackcluster-zones.yaml")],
      );
    });
  });
}

function merged(under: Readonly<Record<string, unknown>>, over: object): Readonly<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const before = all[key];
    if (value === null) delete all[key];
    else all[key] = isPlain(before) && isPlain(value) ? merged(before, value) : value;
  }
  return all;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
