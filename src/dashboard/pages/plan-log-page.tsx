// The live plan log: everything done, refused or waited for, with its `because`, newest first.

import { useState } from "react";
import type { PlanLogEntry } from "../../core/views/object-view.ts";
import { type PlanLogAnswer, routes } from "../../server/contract.ts";
import { EmptyLog } from "../components/empty-log.tsx";
import { FailureNote } from "../components/failure-note.tsx";
import { LogEntry } from "../components/log-entry.tsx";
import { LogFilters } from "../components/log-filters.tsx";
import { PageHeading } from "../components/page-heading.tsx";
import { Nothing } from "../components/panel.tsx";
import { StandbyNote } from "../components/standby-note.tsx";
import { useConnection } from "../live/live-context.tsx";
import { type Knowledge, logKey } from "../live/live-state.ts";
import { filterLog, logChoices } from "../log-filter.ts";
import type { LogFilter } from "../routes.ts";
import { type Failure, failureOf } from "../words/failure.ts";

const entriesAtOnce = 200;

export function PlanLogPage({ known, filter }: { readonly known: Knowledge; readonly filter: LogFilter }) {
  const { older, more, failure, load } = useOlder(known);
  const [most, setMost] = useState(entriesAtOnce);
  const log = [...known.log, ...older];
  const shown = filterLog(log, filter);
  return (
    <>
      <PageHeading title="Plan log" />
      <p className="soft">Every action with its reason, as it happens. A converged system is silent.</p>
      <LogFilters filter={filter} choices={logChoices(log, filter)} />
      <output className="small soft">
        {shown.length === log.length ? `${log.length} entries` : `${shown.length} of ${log.length} entries`}
      </output>
      <StandbyNote manager={known.manager} />
      {log.length === 0 ? <EmptyLog manager={known.manager} /> : null}
      {log.length > 0 && shown.length === 0 ? <Nothing>No entry fits these filters.</Nothing> : null}
      <ol className="rows panel" aria-label="Entries" hidden={shown.length === 0}>
        {shown.slice(0, most).map((entry) => (
          <LogEntry key={logKey(entry)} entry={entry} />
        ))}
      </ol>
      {failure === undefined ? null : <FailureNote failure={failure} />}
      {shown.length > most || more ? (
        <button
          type="button"
          onClick={() => {
            setMost(most + entriesAtOnce);
            if (shown.length <= most + entriesAtOnce && more) load();
          }}
        >
          Show older entries
        </button>
      ) : null}
    </>
  );
}

interface Older {
  readonly older: readonly PlanLogEntry[];
  /** The server has entries that are older than all of these. */
  readonly more: boolean;
  readonly failure: Failure | undefined;
  readonly load: () => void;
}

/** Entries from before the stream's first. */
function useOlder({ log, olderLog }: Knowledge): Older {
  const live = useConnection();
  const [held, setHeld] = useState<PlanLogAnswer>({ entries: [], more: true });
  const [failure, setFailure] = useState<Failure>();
  const known = new Set(log.map(logKey));
  const older = held.entries.filter((entry) => !known.has(logKey(entry)));
  const oldest = older.at(-1) ?? log.at(-1);
  const more = older.length === 0 ? olderLog && held.more : held.more;
  const load = () => {
    const before = oldest === undefined ? "" : `?before=${encodeURIComponent(oldest.id)}`;
    live.ask<PlanLogAnswer>(`${routes.planLog}${before}`).then(
      (answer) => {
        setFailure(undefined);
        setHeld({ ...answer, entries: [...older, ...answer.entries] });
      },
      (thrown: unknown) => setFailure(failureOf(thrown)),
    );
  };
  return { older, more, failure, load };
}
