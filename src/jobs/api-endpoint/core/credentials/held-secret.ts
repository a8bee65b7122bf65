// Without credentials nothing can be cleaned up, and in a namespace that is being deleted nobody can make them again. So the Secret beside an
// object bears our finalizer for as long as an object of ours uses it. docs/decisions/0010 says why a finalizer.
//
//   the Secret                              the object               next
//   has no finalizer of ours                is ours                  its name is written to the object, then it gets one
//   is another one than was written down    is ours                  the former is let go, unless others use it, and the new one is held
//   is being deleted, its namespace stays   is not being deleted     it is let go: people replace a Secret by deleting it
//   is being deleted                        else                     it is kept until nothing is left in the cloud
//
// At the end that nothing is left is written down first: from then on no credentials are needed, so that the Secret can be let go before the
// object's own finalizer, and a crash in between forgets neither.

import type { Plan } from "../../../../core/plan.ts";
import type { EndpointAction } from "../model/action.ts";
import { planOf } from "../model/endpoint-plan.ts";
import { credentialsLane } from "../model/lanes.ts";
import type { CredentialsObserved, EndpointObserved } from "../model/observed.ts";

export function planHeldSecret({ credentials, intent }: EndpointObserved): Plan<EndpointAction> {
  if (credentials?.secret === undefined) return planOf({});
  const { name, held, secret, shared } = credentials;
  const lane = credentialsLane;
  if (secret.deleting) {
    const isReplaced = secret.hasFinalizer && secret.isNamespaceStaying && !intent.deleting;
    if (!isReplaced) return planOf({});
    return planOf({ actions: [{ kind: "release-secret", secret: name, lane, because: "SecretDeleted" }] });
  }
  if (held === name && secret.hasFinalizer) return planOf({});
  const instead = held === undefined || held === name || shared.includes(held) ? {} : { instead: held };
  return planOf({ actions: [{ kind: "hold-secret", secret: name, ...instead, lane, because: "SecretUnheld" }] });
}

/** The last steps for an object that is being deleted and of which nothing is left in the cloud. */
export function planLastSteps(observed: EndpointObserved): Plan<EndpointAction> {
  const { credentials, object } = observed;
  const isHeld = credentials?.held !== undefined || credentials?.secret?.hasFinalizer === true;
  if (isHeld && object.isCleanedUp !== true)
    return planOf({ actions: [{ kind: "record-clean-up", because: "EndpointDeleted" }] });
  return planRelease(observed);
}

/** For an object that needs no credentials any more, or never did. */
export function planRelease({ credentials }: EndpointObserved): Plan<EndpointAction> {
  const releases = credentials === undefined ? undefined : secretToRelease(credentials);
  return planOf({
    actions: [
      { kind: "remove-finalizer", ...(releases === undefined ? {} : { releases }), because: "EndpointDeleted" },
    ],
  });
}

function secretToRelease({ name, held = name, shared }: CredentialsObserved): string | undefined {
  return shared.includes(held) ? undefined : held;
}
