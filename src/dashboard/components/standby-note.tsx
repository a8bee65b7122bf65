// A note on a standby: which manager leads, and how to open the leader's dashboard.

import type { ManagerInfo } from "../../server/contract.ts";
import { leaderElsewhere } from "../words/leadership.ts";

export function StandbyNote({ manager }: { readonly manager: ManagerInfo }) {
  const leader = leaderElsewhere(manager);
  if (leader === undefined) return null;
  return (
    <section className="note" data-tone="wait" aria-label="Standby">
      <p>
        <strong>This is a standby.</strong> Objects are live here; plans and the log are with the leader,{" "}
        <strong className="mono">{leader.name}</strong>.
      </p>
      {leader.command === undefined ? null : (
        <p>
          To look there (namespace and port as you installed it): <code>{leader.command}</code>
        </p>
      )}
    </section>
  );
}
