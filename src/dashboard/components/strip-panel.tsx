// The last hour of an object's parts: a bar for each, from an hour ago to now, that changes where the part did.

import type { PartStrip } from "../../core/views/object-view.ts";
import { useServerNow } from "../live/server-clock.ts";
import { currentState, latestChanges, stripSegments, unknownBefore } from "../strip-segments.ts";
import { partTones } from "../words/results.ts";
import { span } from "../words/time.ts";
import { Panel } from "./panel.tsx";

export function StripPanel({ strips }: { readonly strips: readonly PartStrip[] }) {
  const nowMs = useServerNow();
  if (strips.every(({ spans }) => spans.length === 0)) return null;
  const withdrawn = new Set(strips.flatMap(({ spans }) => spans.flatMap((span) => span.withdrawn ?? [])));
  return (
    <div className="strips">
      <Panel title="Last hour" aside={withdrawn.size === 0 ? undefined : `hatched: ${[...withdrawn].join(", ")}`}>
        <dl className="strip-rows">
          {strips.map((strip) => (
            <Strip key={strip.name} strip={strip} nowMs={nowMs} />
          ))}
        </dl>
        <p className="strip-axis small soft" aria-hidden="true">
          <span>60 min ago</span>
          <span>30 min</span>
          <span>now</span>
        </p>
      </Panel>
    </div>
  );
}

interface StripProps {
  readonly strip: PartStrip;
  readonly nowMs: number;
}

function Strip({ strip, nowMs }: StripProps) {
  const segments = stripSegments(strip, nowMs);
  const current = currentState(strip);
  const unknown = unknownBefore(segments, nowMs);
  const told = unknown === undefined ? [] : [unknown];
  return (
    <>
      <dt>{strip.name}</dt>
      <dd className="visually-hidden">{[...told, ...segments.map(({ words }) => words)].join("; ")}</dd>
      <dd className="strip-bar" aria-hidden="true">
        {segments.map(({ key, left, width, health, withdrawn, words }) => (
          <span
            key={key}
            title={words}
            data-tone={partTones[health]}
            data-withdrawn={withdrawn}
            style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
          />
        ))}
      </dd>
      <dd className="strip-now small soft">
        {current === undefined ? null : (
          <>
            {current.words} for {span(nowMs - Date.parse(current.since))}
          </>
        )}
        {[...latestChanges(segments), ...told].map((words) => (
          <span key={words} className="strip-change">
            {words}
          </span>
        ))}
      </dd>
    </>
  );
}
