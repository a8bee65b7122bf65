// The reason of an object's health: its name, its meaning, and a link to its runbook.

import type { ObjectDetail } from "../../core/views/object-view.ts";
import { whyOf } from "../why.ts";
import { healthTones } from "../words/results.ts";
import { PageLink } from "./page-link.tsx";

export function WhyNote({ detail }: { readonly detail: ObjectDetail }) {
  const why = whyOf(detail);
  if (why === undefined) return null;
  const { reason, summary, runbook } = why;
  return (
    <section className="note" data-tone={healthTones[detail.health]} aria-label="Why">
      <p>
        <strong>Why:</strong> {summary || "This reason is not one of Mainstay's; read the condition."}{" "}
        <code>{reason}</code>
      </p>
      {runbook ? (
        <p>
          <PageLink to={{ page: "runbook", reason }}>What to do: runbook {reason}</PageLink>
        </p>
      ) : null}
    </section>
  );
}
