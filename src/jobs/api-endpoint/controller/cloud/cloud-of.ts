// From an object's identityRef to the cloud it means: a Secret beside the object, or one that a cluster-wide identity lends to chosen
// namespaces. Read afresh each time, so that rotated credentials apply at once. No content of a Secret gets into a message.

import { namespaces, type Secret, secrets } from "../../../../apis/kube/builtin-kinds.ts";
import { openStackClusterIdentities } from "../../../../apis/openstack/openstack-cluster-identity.ts";
import { formatProblem } from "../../../../apis/text/problem.ts";
import { MainstayError } from "../../../../core/errors.ts";
import { isKubeError } from "../../../../core/kube-error.ts";
import { matchesSelector } from "../../../../core/label-selector.ts";
import type { CloudConfig } from "../../../../core/openstack/cloud-config.ts";
import { parseCloud } from "../../../../core/openstack/parse-cloud.ts";
import { parseYaml } from "../../../../core/yaml-text.ts";
import type { KubeReader } from "../../../../ports/kube.ts";
import type { IdentityRef } from "../../apis/load-balancer/api-server-load-balancer.ts";

export interface CredentialsRequest {
  readonly kube: KubeReader;
  readonly identity: IdentityRef;
  /** Of the object that asks. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** A Secret as it was read, and which of its clouds is meant. */
export interface Credentials {
  readonly identity: IdentityRef;
  readonly ref: SecretRef;
  readonly secret: Secret;
}

export async function credentialsOf(request: CredentialsRequest): Promise<Credentials> {
  const { identity, signal, kube } = request;
  const ref =
    identity.type === "ClusterIdentity"
      ? await lentSecret(request)
      : { namespace: request.namespace, name: identity.name };
  const secret = await orMissing(kube.get(secrets, ref, { signal }), `Secret ${ref.namespace}/${ref.name}`);
  return { identity, ref, secret };
}

export function cloudIn({ identity, ref, secret }: Credentials): CloudConfig {
  const text = decoded(secret.data?.["clouds.yaml"]);
  if (text === undefined) {
    throw identityError(
      `Secret ${ref.namespace}/${ref.name}: it has no key clouds.yaml`,
      "Put the clouds.yaml under that key.",
    );
  }
  const caCertificate = decoded(secret.data?.["cacert"]);
  const parsed = parseCloud(cloudsIn(text, ref), {
    cloudName: identity.cloudName,
    ...(identity.region === undefined ? {} : { region: identity.region }),
    ...(caCertificate === undefined ? {} : { caCertificate }),
  });
  if (parsed.ok) return parsed.value;
  throw identityError(
    `Secret ${ref.namespace}/${ref.name}: ${parsed.problems.map(formatProblem).join(" ")}`,
    "Correct the clouds.yaml; it is read again within a minute.",
  );
}

export async function cloudOf(request: CredentialsRequest): Promise<CloudConfig> {
  return cloudIn(await credentialsOf(request));
}

async function lentSecret({ kube, identity, namespace, signal }: CredentialsRequest): Promise<SecretRef> {
  const name = `OpenStackClusterIdentity ${identity.name}`;
  const lender = await orMissing(kube.get(openStackClusterIdentities, { name: identity.name }, { signal }), name);
  const { secretRef, namespaceSelector } = lender.spec;
  if (namespaceSelector !== undefined) {
    const { metadata } = await orMissing(
      kube.get(namespaces, { name: namespace }, { signal }),
      `Namespace ${namespace}`,
    );
    if (!matchesSelector(namespaceSelector, metadata.labels ?? {})) {
      throw identityError(
        `${name}: namespace ${namespace} is not among those it may be used from`,
        "Label the namespace as the identity's namespaceSelector asks, or use another identity.",
      );
    }
  }
  return { namespace: secretRef.namespace, name: secretRef.name };
}

async function orMissing<T>(read: Promise<T>, what: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!isKubeError(error, "NotFound", "KindNotServed")) throw error;
    throw identityError(
      `${what}: there is no such object`,
      "Create it; nothing in the cloud is touched meanwhile.",
      error,
    );
  }
}

/** A parser quotes the line it stumbles over, which may hold the password: its words go no further. */
function cloudsIn(text: string, { namespace, name }: SecretRef): unknown {
  const parsed = parseYaml(text, "clouds.yaml");
  if (parsed.ok) return parsed.value;
  throw identityError(`Secret ${namespace}/${name}: its clouds.yaml is not one YAML document`, "Correct the file.");
}

function decoded(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}

function identityError(message: string, hint: string, cause?: unknown): MainstayError {
  return new MainstayError({
    reason: "CredentialsUnusable",
    message,
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
