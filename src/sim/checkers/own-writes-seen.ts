// A key is never replanned from a cache that is older than the key's own last write.

import { formatRef } from "../../apis/kube/kube-object.ts";
import { isRecord } from "../../apis/text/problem.ts";
import { type Checker, isBlindAfterRestore } from "./checker.ts";

export const ownWritesSeen: Checker = {
  name: "own-writes-seen",
  promise: "a round begins only when the cache has the key's object as its last round left it",
  watch: (view, broken) => {
    /** Process, feature and key → the version that its last write gave the object. */
    const written = new Map<string, number>();
    const epochs = epochWatch();
    view.on("restored", () => written.clear());
    // A term begins without memories: every write of it is bound to the version it was decided on.
    view.on("changed", ({ change }) => {
      if (change.resource === "coordination.k8s.io/leases") epochs.note(change.object, () => written.clear());
    });
    view.on("replied", ({ call, version }) => {
      if (call.verb !== "PATCH" || call.purpose === "event" || call.purpose === "lease") return;
      written.set(`${call.process.name} ${call.target.replace(/\/status$/, "")}`, Number(version));
    });
    view.on("observing", ({ process, root, key, cachedVersion }) => {
      const version = written.get(`${process.name} ${root}/${formatRef(key)}`);
      if (isBlindAfterRestore(view)) return;
      if (version === undefined || cachedVersion === undefined || Number(cachedVersion) >= version) return;
      broken(
        `${process.name} planned ${root}/${formatRef(key)} from version ${cachedVersion} after it wrote ${version}`,
      );
    });
  },
};

function epochWatch() {
  let epoch: unknown;
  return {
    note(lease: unknown, onNew: () => void): void {
      const spec = isRecord(lease) ? lease["spec"] : undefined;
      const now = isRecord(spec) ? spec["leaseTransitions"] : undefined;
      if (now !== epoch) onNew();
      epoch = now;
    },
  };
}
