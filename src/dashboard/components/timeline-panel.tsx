// What happened to an object, newest first: what this manager did, refused or waited for, and the Events of those before it.

import type { EventView, ObjectDetail } from "../../core/views/object-view.ts";
import { objectKey } from "../../server/contract.ts";
import { timeline } from "../timeline.ts";
import { LogEntry } from "./log-entry.tsx";
import { Mark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { PageLink } from "./page-link.tsx";
import { Nothing, Panel } from "./panel.tsx";
import { Reason } from "./reason.tsx";
import { Shortened } from "./shortened.tsx";

const firstEntries = 8;

export function TimelinePanel({
  detail: { history, events, id, missingRights = [] },
}: {
  readonly detail: ObjectDetail;
}) {
  const all = <PageLink to={{ page: "plan-log", filter: { object: objectKey(id) } }}>In the plan log</PageLink>;
  const happenings = timeline(history, events);
  return (
    <Panel title="What happened" aside={all}>
      {happenings.length === 0 && missingRights.length === 0 ? (
        <Nothing>Nothing that is still known: Kubernetes forgets Events after an hour or so.</Nothing>
      ) : null}
      {missingRights.length === 0 ? null : (
        <Nothing>Events are not shown: your token may not {missingRights.join(", ")}.</Nothing>
      )}
      <Shortened items={happenings} first={firstEntries} what="entries">
        {(shown) => (
          <ol className="rows">
            {shown.map((one) =>
              one.from === "log" ? (
                <LogEntry key={one.key} entry={one.entry} withObject={false} />
              ) : (
                <EventEntry key={one.key} event={one.event} />
              ),
            )}
          </ol>
        )}
      </Shortened>
    </Panel>
  );
}

function EventEntry({ event }: { readonly event: EventView }) {
  return (
    <li className="log-entry">
      {event.type === "Warning" ? (
        <Mark shape="alert" tone="wait" word="Warning" />
      ) : (
        <Mark shape="check" tone="unknown" word="Normal" />
      )}
      <div className="log-what">
        <p>{event.message}</p>
        <p className="small soft">
          Event <Reason reason={event.reason} runbook={event.runbook} /> by {event.controller}
          {event.count > 1 ? `, ${event.count} times` : null}
        </p>
      </div>
      <span className="log-time small soft">
        <Moment time={event.lastSeen} />
      </span>
    </li>
  );
}
