// The faults of the demonstration, to start and stop. Elsewhere the page says that there are none.

import { FaultCard } from "../components/fault-card.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { PageLink } from "../components/page-link.tsx";
import { useLive } from "../live/live-context.tsx";
import type { Knowledge } from "../live/live-state.ts";

export function FaultsPage({ known: { faults } }: { readonly known: Knowledge }) {
  const { link } = useLive();
  if (!faults.enabled) return <NoFaults />;
  const blockedBecause = link.status === "live" ? undefined : "The server does not answer at the moment.";
  return (
    <>
      <PageHeading title="Faults" />
      <p className="soft">
        Break something on purpose, and watch what Mainstay does about it. Every fault heals by itself.
      </p>
      <ul className="faults" aria-label="Faults">
        {faults.faults.map((fault) => (
          <FaultCard key={fault.id} fault={fault} blockedBecause={blockedBecause} />
        ))}
      </ul>
    </>
  );
}

function NoFaults() {
  return (
    <>
      <PageHeading title="No faults here" />
      <p>
        Only the demonstration (<code>mainstay demo</code>) has faults to start. This dashboard shows a real cluster and
        changes nothing.
      </p>
      <p>
        <PageLink to={{ page: "overview", filter: {} }}>Go to the overview</PageLink>
      </p>
    </>
  );
}
