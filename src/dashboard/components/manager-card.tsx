// Which manager leads, its term, and its standbys.

import type { ManagerInfo } from "../../server/contract.ts";
import { leadershipOf } from "../words/leadership.ts";
import { Mark } from "./mark.tsx";

export function ManagerCard({ manager }: { readonly manager: ManagerInfo }) {
  return (
    <div className="manager-card">
      <p>
        <strong className="mono">{manager.identity}</strong> answers here
        {manager.term === undefined ? " and stands by." : " and leads."}
      </p>
      {manager.term === undefined ? null : (
        <p className="small soft">
          Term <span className="mono">{manager.term}</span>. A manager whose term is over writes nothing.
        </p>
      )}
      {manager.replicas.length === 0 ? null : (
        <ul className="replicas" aria-label="Managers">
          {manager.replicas.map(({ identity, state }) => (
            <li key={identity}>
              <ReplicaMark state={state} /> <span className="mono">{identity}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whether a manager leads. Always shown, so that a change does not move the page. */
export function LeadershipLine({ manager }: { readonly manager: ManagerInfo }) {
  const { needsAttention, sentence } = leadershipOf(manager);
  return (
    <p className={needsAttention ? undefined : "soft"}>
      {needsAttention ? <Mark shape="alert" tone="bad" word="Attention" /> : null} {sentence}
    </p>
  );
}

function ReplicaMark({ state }: { readonly state: ManagerInfo["replicas"][number]["state"] }) {
  if (state === "leading") return <Mark shape="check" tone="good" word="Leads" />;
  if (state === "standby") return <Mark shape="clock" tone="unknown" word="Stands by" />;
  return <Mark shape="alert" tone="bad" word="Stopped" />;
}
