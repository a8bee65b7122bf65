// The runbook of a reason: what it means, where it shows, what to do, when it is safe to ignore.

import { type RunbookAnswer, routes } from "../../server/contract.ts";
import { FailureNote } from "../components/failure-note.tsx";
import { Mark } from "../components/mark.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { PageLink } from "../components/page-link.tsx";
import { RunbookText } from "../components/runbook-text.tsx";
import { useAnswer } from "../live/live-context.tsx";
import { severities } from "../words/severities.ts";

export function RunbookPage({ reason }: { readonly reason: string }) {
  const answer = useAnswer<RunbookAnswer>(routes.runbook(reason), "");
  return (
    <article className="runbook">
      <nav aria-label="Where you are" className="small">
        <PageLink to={{ page: "runbooks" }}>Runbooks</PageLink>
      </nav>
      <PageHeading title={reason} />
      {answer.state === "loading" ? (
        <p className="soft" aria-busy="true">
          Opening the page.
        </p>
      ) : null}
      {answer.state === "failed" ? <FailureNote failure={answer.failure} /> : null}
      {answer.state === "here" ? (
        <>
          <p className="lead">
            <Mark {...severities[answer.value.severity]} /> {answer.value.summary}
          </p>
          <p>
            <PageLink to={{ page: "plan-log", filter: { because: reason } }}>Where it happened: the plan log</PageLink>
          </p>
          <RunbookText markdown={answer.value.markdown} />
        </>
      ) : null}
    </article>
  );
}
