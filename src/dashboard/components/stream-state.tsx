// Whether the page is up to date: always a word in the bar, and a banner when it is not.

import { useConnection, useLive } from "../live/live-context.tsx";
import { useReaderNow } from "../live/server-clock.ts";
import { useStaleness } from "../live/staleness.ts";
import { span, timeOfDay } from "../words/time.ts";
import { Mark } from "./mark.tsx";

export function StreamWord() {
  const { link } = useLive();
  const stale = useStaleness();
  switch (link.status) {
    case "live":
      if (stale !== undefined) return <Mark shape="alert" tone="bad" word="Stale" title={stale.why} />;
      return <Mark shape="check" tone="good" word="Live" title="Changes appear as they happen" />;
    case "stale":
      return <Mark shape="alert" tone="bad" word="Stale" title="The connection is lost" />;
    case "connecting":
      return <Mark shape="clock" tone="wait" word="Connecting" />;
    case "token-needed":
      return <Mark shape="stop" tone="unknown" word="Signed out" />;
  }
}

export function StaleBanner() {
  const stale = useStaleness();
  const live = useConnection();
  // That the manager cannot read the cluster is shown where objects are shown.
  if (stale?.sinceMs === undefined || !stale.cut) return null;
  return (
    <div className="stale-banner" role="alert">
      <p>
        <strong>What you see is stale</strong> since <Since sinceMs={stale.sinceMs} />. {stale.why}{" "}
        <span>Trying again.</span>
      </p>
      <button type="button" onClick={() => live.retryNow()}>
        Try now
      </button>
    </div>
  );
}

function Since({ sinceMs }: { readonly sinceMs: number }) {
  return (
    <>
      {timeOfDay(sinceMs)} ({span(useReaderNow() - sinceMs)})
    </>
  );
}
