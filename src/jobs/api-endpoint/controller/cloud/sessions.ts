// The way from an action back to the cloud it is meant for. Actions are plain data; the project that an object was observed with is
// kept here by the object's name, and an action that finds none was planned by nobody.

import { formatRef, type ObjectRef } from "../../../../apis/kube/kube-object.ts";
import { MainstayError } from "../../../../core/errors.ts";
import type { OpenStackProject } from "../../../../ports/openstack.ts";

export interface Session {
  readonly project: OpenStackProject;
  readonly endpointKey: string;
  /** Objects with the same reach one project with one token. */
  readonly sharingKey: string;
  /** See core/situation/location.ts. */
  readonly location: string;
  /** Whether balancers are to be had there. */
  readonly hasOctavia: boolean;
}

export class Sessions {
  readonly #byObject = new Map<string, Session>();

  remember(object: ObjectRef, session: Session): void {
    this.#byObject.set(formatRef(object), session);
  }

  of(object: ObjectRef): Session {
    const session = this.#byObject.get(formatRef(object));
    if (session !== undefined) return session;
    throw new MainstayError({
      reason: "OpenStackNotAuthenticated",
      message: `${formatRef(object)}: no cloud is known for it yet`,
      hint: "It is observed again first; nothing has to be done.",
    });
  }

  forget(object: ObjectRef): void {
    this.#byObject.delete(formatRef(object));
  }
}
