// A banner while a fault of the demonstration is active, on every page: nobody should take it for an accident, or forget it.

import type { Fault } from "../../server/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { useServerNow } from "../live/server-clock.ts";
import { parseTime, span } from "../words/time.ts";
import { PageLink } from "./page-link.tsx";

export function FaultBanner() {
  const { known } = useLive();
  const active = (known?.faults.faults ?? []).filter((fault) => fault.active !== undefined);
  if (active.length === 0) return null;
  return (
    <section className="fault-banner" aria-label="Active faults">
      <p>
        <strong>
          {active.length === 1 ? "A fault of the demonstration is active:" : "Faults of the demonstration are active:"}
        </strong>{" "}
        {active.map((fault, index) => (
          <span key={fault.id}>
            {index === 0 ? "" : "; "}
            {fault.title} <HealsIn fault={fault} />
          </span>
        ))}
      </p>
      <PageLink to={{ page: "faults" }}>Stop it</PageLink>
    </section>
  );
}

function HealsIn({ fault: { active } }: { readonly fault: Fault }) {
  const nowMs = useServerNow();
  const endsMs = parseTime(active?.endsAt);
  return endsMs === undefined ? null : <span className="soft">(heals in {span(endsMs - nowMs)})</span>;
}
