// From a pool's identityRef to the cloud it means. Read again every few seconds, so that rotated credentials apply soon. No content of a
// Secret gets into a message.

import { secrets } from "../../../../apis/kube/builtin-kinds.ts";
import { openStackClusterIdentities } from "../../../../apis/openstack/openstack-cluster-identity.ts";
import { formatProblem } from "../../../../apis/text/problem.ts";
import { MainstayError } from "../../../../core/errors.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import type { CloudConfig } from "../../../../core/openstack/cloud-config.ts";
import { parseCloud } from "../../../../core/openstack/parse-cloud.ts";
import { parseYaml } from "../../../../core/yaml-text.ts";
import type { CallOptions, KubeReader } from "../../../../ports/kube.ts";
import type { PoolIdentityRef } from "../../apis/gateway-pool.ts";

export async function cloudOfPool(
  identity: PoolIdentityRef,
  kube: KubeReader,
  options: CallOptions,
): Promise<CloudConfig> {
  const ref = await secretRefOf(identity, kube, options);
  const where = `Secret ${ref.namespace}/${ref.name}`;
  const { data = {} } = await orMissing(kube.get(secrets, ref, options), where);
  const text = decoded(data["clouds.yaml"]);
  if (text === undefined) throw unusable(`${where}: it has no key clouds.yaml`);
  const yaml = parseYaml(text, "clouds.yaml");
  // A parser quotes the line it stumbles over, which may hold the password: its words go no further.
  if (!yaml.ok) throw unusable(`${where}: its clouds.yaml is not one YAML document`);
  const caCertificate = decoded(data["cacert"]);
  const parsed = parseCloud(yaml.value, {
    cloudName: identity.cloudName,
    ...(identity.region === undefined ? {} : { region: identity.region }),
    ...(caCertificate === undefined ? {} : { caCertificate }),
  });
  if (parsed.ok) return parsed.value;
  throw unusable(`${where}: ${parsed.problems.map(formatProblem).join(" ")}`);
}

async function secretRefOf(
  { type, name, namespace = "" }: PoolIdentityRef,
  kube: KubeReader,
  options: CallOptions,
): Promise<{ readonly namespace: string; readonly name: string }> {
  if (type !== "ClusterIdentity") return { namespace, name };
  const lender = orMissing(kube.get(openStackClusterIdentities, { name }, options), `OpenStackClusterIdentity ${name}`);
  const { secretRef } = (await lender).spec;
  return { namespace: secretRef.namespace, name: secretRef.name };
}

async function orMissing<T>(read: Promise<T>, what: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
    throw unusable(`${what}: there is no such object`);
  }
}

function decoded(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}

function unusable(message: string): MainstayError {
  const hint = "Create or correct it; addresses stay as they are meanwhile.";
  return new MainstayError({ reason: "PoolCredentialsUnusable", message, hint });
}
