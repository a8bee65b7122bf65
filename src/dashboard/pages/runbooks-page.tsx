// All reasons by job and severity, each with a link to its runbook, and a search over them.

import { type RunbooksAnswer, routes } from "../../server/contract.ts";
import { FailureNote } from "../components/failure-note.tsx";
import { Mark } from "../components/mark.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { PageLink } from "../components/page-link.tsx";
import { Nothing, Panel } from "../components/panel.tsx";
import { Reason } from "../components/reason.tsx";
import { useAnswer } from "../live/live-context.tsx";
import { goTo } from "../navigation.ts";
import { groupRunbooks, type RunbookGroup } from "../runbooks/group-runbooks.ts";
import { severities } from "../words/severities.ts";

export function RunbooksPage({ text = "" }: { readonly text?: string | undefined }) {
  const answer = useAnswer<RunbooksAnswer>(routes.runbooks, "");
  return (
    <>
      <PageHeading title="Runbooks" />
      <p className="soft">
        Every word that Mainstay gives as a reason, what it means, and a page that says what to do.
      </p>
      <search className="runbook-search">
        <input
          type="search"
          aria-label="Find runbooks"
          placeholder="Find by reason, words, job or severity"
          value={text}
          onChange={({ target }) =>
            goTo({ page: "runbooks", ...(target.value === "" ? {} : { text: target.value }) }, { replace: true })
          }
        />
      </search>
      {answer.state === "loading" ? (
        <p className="soft" aria-busy="true">
          Opening the list.
        </p>
      ) : null}
      {answer.state === "failed" ? <FailureNote failure={answer.failure} /> : null}
      {answer.state === "here" ? <Groups groups={groupRunbooks(answer.value.runbooks, text)} /> : null}
    </>
  );
}

function Groups({ groups }: { readonly groups: readonly RunbookGroup[] }) {
  if (groups.length === 0)
    return (
      <Nothing>
        No runbook fits. <PageLink to={{ page: "runbooks" }}>Show all runbooks</PageLink>
      </Nothing>
    );
  return (
    <div className="runbook-groups">
      {groups.map(({ job, runbooks }) => (
        <Panel
          key={job ?? ""}
          title={job ?? "Every job"}
          aside={`${runbooks.length} ${runbooks.length === 1 ? "page" : "pages"}`}
        >
          <ul className="rows runbook-list">
            {runbooks.map(({ reason, summary, severity }) => (
              <li key={reason}>
                <Mark {...severities[severity]} word={shortWords[severity]} title={severities[severity].word} />
                <Reason reason={reason} runbook={reason} /> <span>{summary}</span>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </div>
  );
}

const shortWords = { info: "News", warning: "Warning", error: "Error" } as const;
