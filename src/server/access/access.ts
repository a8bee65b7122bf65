// Who sends a request, and what they may read: decided by the cluster, by TokenReview and SubjectAccessReview, and cached for a few
// seconds. When the cluster does not answer, access is refused. Of a token only a hash is kept, as long as its answer; the token itself
// is never logged or sent on.

import { type Kind, resourceName } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { textAt } from "../../core/views/explained.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Kube } from "../../ports/kube.ts";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";
import { ApiFailure } from "../api-failure.ts";
import { ShortCache } from "./short-cache.ts";

export interface Viewer {
  readonly name: string;
  /** With a namespace: there or everywhere. Without: everywhere. */
  mayList(kind: Kind, namespace?: string): Promise<boolean>;
}

export interface Access {
  readonly tokenNeeded: boolean;
  /** Rejects with an ApiFailure. */
  viewerOf(authorization: string | undefined): Promise<Viewer>;
}

/** For a demonstration on loopback: everybody may read everything. */
export const openAccess: Access = {
  tokenNeeded: false,
  viewerOf: () => Promise.resolve({ name: "demo", mayList: () => Promise.resolve(true) }),
};

export interface ClusterAccessOptions {
  /** As the manager itself: it must be allowed to create token reviews and subject access reviews. */
  readonly kube: Pick<Kube, "request">;
  readonly clock: Clock;
  /** Tokens are cached by their hash. */
  readonly opaqueIds: Pick<OpaqueIds, "hash">;
  readonly ttlMs?: number;
}

interface User {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const accessTtlMs = 5_000;
const deadlineMs = 5_000;
const maxTokenLength = 16_384;
const maxReviewsAtOnce = 32;
const denied = "the token is not valid here";
const loginHint = "Send a bearer token that the cluster's API server accepts: kubectl create token <service account>";

export function clusterAccess({ kube, clock, opaqueIds, ttlMs = accessTtlMs }: ClusterAccessOptions): Access {
  const users = new ShortCache<User | undefined>({ clock, ttlMs, limit: 1_000 });
  const rights = new ShortCache<boolean>({ clock, ttlMs, limit: 20_000 });
  let underWay = 0;
  const review = async (path: string, body: unknown): Promise<unknown> => {
    if (underWay >= maxReviewsAtOnce) throw unavailable();
    underWay += 1;
    try {
      return await kube.request({ method: "POST", path, body, deadlineMs });
    } catch {
      throw unavailable();
    } finally {
      underWay -= 1;
    }
  };
  const viewer = (user: User): Viewer => {
    const allowed = (kind: Kind, namespace: string): Promise<boolean> =>
      rights.get(JSON.stringify([user, resourceName(kind), namespace]), () =>
        reviewAccess(review, user, kind, namespace),
      );
    return {
      name: user.username,
      mayList: async (kind, namespace) =>
        (await allowed(kind, "")) || (namespace !== undefined && kind.namespaced && (await allowed(kind, namespace))),
    };
  };
  return {
    tokenNeeded: true,
    async viewerOf(authorization) {
      const token = bearerToken(authorization);
      if (token === undefined) throw new ApiFailure("unauthenticated", "a token is needed", loginHint);
      const user = await users.get(opaqueIds.hash(token), () => reviewToken(review, token));
      if (user === undefined) throw new ApiFailure("unauthenticated", denied, loginHint);
      return viewer(user);
    },
  };
}

type Review = (path: string, body: unknown) => Promise<unknown>;

async function reviewToken(review: Review, token: string): Promise<User | undefined> {
  const answer = await review("/apis/authentication.k8s.io/v1/tokenreviews", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenReview",
    spec: { token },
  });
  const status = isRecord(answer) && isRecord(answer["status"]) ? answer["status"] : {};
  const username = textAt(status, "user", "username");
  if (status["authenticated"] !== true || username === "" || textAt(status, "error") !== "") return undefined;
  const user = isRecord(status["user"]) ? status["user"] : {};
  const extra = isRecord(user["extra"]) ? user["extra"] : {};
  return {
    username,
    uid: textAt(user, "uid"),
    groups: texts(user["groups"]),
    extra: Object.fromEntries(Object.entries(extra).map(([name, values]) => [name, texts(values)])),
  };
}

async function reviewAccess(review: Review, user: User, kind: Kind, namespace: string): Promise<boolean> {
  const answer = await review("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SubjectAccessReview",
    spec: {
      user: user.username,
      uid: user.uid,
      groups: user.groups,
      extra: user.extra,
      resourceAttributes: {
        group: kind.group,
        resource: kind.plural,
        verb: "list",
        ...(namespace === "" ? {} : { namespace }),
      },
    },
  });
  return isRecord(answer) && isRecord(answer["status"]) && answer["status"]["allowed"] === true;
}

function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization ?? "")?.[1];
  return token === undefined || token.length > maxTokenLength ? undefined : token;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

function unavailable(): ApiFailure {
  return new ApiFailure("unavailable", "the cluster cannot be asked what you may see", "Try again in a moment.");
}
