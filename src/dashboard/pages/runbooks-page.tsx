// All reasons, each with a link to its runbook.

import { type RunbooksAnswer, routes } from "../../server/contract.ts";
import { FailureNote } from "../components/failure-note.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { Reason } from "../components/reason.tsx";
import { useAnswer } from "../live/live-context.tsx";

export function RunbooksPage() {
  const answer = useAnswer<RunbooksAnswer>(routes.runbooks, "");
  return (
    <>
      <PageHeading title="Runbooks" />
      <p className="soft">
        Every word that Mainstay gives as a reason, what it means, and a page that says what to do.
      </p>
      {answer.state === "loading" ? (
        <p className="soft" aria-busy="true">
          Opening the list.
        </p>
      ) : null}
      {answer.state === "failed" ? <FailureNote failure={answer.failure} /> : null}
      {answer.state === "here" ? (
        <ul className="rows panel runbook-list">
          {answer.value.runbooks.map(({ reason, summary }) => (
            <li key={reason}>
              <Reason reason={reason} runbook={reason} /> <span>{summary}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
