// Every reason there is, each with the way to its runbook.

import { reasons } from "../../core/reasons.ts";
import { PageHeading } from "../components/page-heading.tsx";
import { Reason } from "../components/reason.tsx";

export function RunbooksPage() {
  const names = Object.entries(reasons).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <>
      <PageHeading title="Runbooks" />
      <p className="soft">
        Every word that Mainstay gives as a reason, what it means, and a page that says what to do.
      </p>
      <ul className="rows panel runbook-list">
        {names.map(([reason, { summary }]) => (
          <li key={reason}>
            <Reason reason={reason} runbook={reason} /> <span>{summary}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
