// Faults to start and watch heal, in the demonstration. Elsewhere the page says why there are none.

import { BlockedButton } from "../components/blocked-button.tsx";
import { FaultCard } from "../components/fault-card.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { useLive } from "../live/live-context.tsx";
import type { Knowledge } from "../live/live-state.ts";

const onlyInDemo = "Only the demonstration has faults to start: here the dashboard shows and changes nothing.";

export function FaultsPage({ known: { faults } }: { readonly known: Knowledge }) {
  const { link } = useLive();
  const stale = link.status === "live" ? undefined : "The server does not answer at the moment.";
  return (
    <>
      <PageHeading title="Faults" />
      <p className="soft">
        Break something on purpose, and watch what Mainstay does about it. Every fault heals by itself.
      </p>
      {faults.faults.length === 0 ? (
        <div className="panel fault-form">
          <BlockedButton blockedBecause={onlyInDemo}>Start a fault</BlockedButton>
        </div>
      ) : (
        <ul className="faults" aria-label="Faults">
          {faults.faults.map((fault) => (
            <FaultCard key={fault.id} fault={fault} blockedBecause={faults.enabled ? stale : onlyInDemo} />
          ))}
        </ul>
      )}
    </>
  );
}
