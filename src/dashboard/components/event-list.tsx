// The Kubernetes Events that Mainstay wrote about an object.

import type { EventView } from "../../core/views/object-view.ts";
import { Mark } from "./mark.tsx";
import { Moment } from "./moment.tsx";
import { Nothing } from "./panel.tsx";
import { Reason } from "./reason.tsx";

export function EventList({ events }: { readonly events: readonly EventView[] }) {
  if (events.length === 0) return <Nothing>No events. Kubernetes forgets them after an hour or so.</Nothing>;
  return (
    <ul className="rows">
      {events.map((event) => (
        <li key={`${event.reason} ${event.action} ${event.firstSeen} ${event.message}`} className="condition">
          {event.type === "Warning" ? (
            <Mark shape="alert" tone="wait" word="Warning" />
          ) : (
            <Mark shape="check" tone="unknown" word="Normal" />
          )}
          <div>
            <p>{event.message}</p>
            <p className="small soft">
              <Reason reason={event.reason} runbook={event.runbook} /> by {event.controller}
              {event.count > 1 ? `, ${event.count} times` : null}
            </p>
          </div>
          <span className="row-time small soft">
            <Moment time={event.lastSeen} />
          </span>
        </li>
      ))}
    </ul>
  );
}
