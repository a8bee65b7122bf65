// Whether what the page shows is the present: a word in the bar at all times, and a banner once it is not.

import { useConnection, useLive } from "../live/live-context.tsx";
import { useReaderNow } from "../live/server-clock.ts";
import { failureWords } from "../words/failure.ts";
import { span, timeOfDay } from "../words/time.ts";
import { Mark } from "./mark.tsx";

/** A cut that heals at once is nobody's business. */
const bannerAfterMs = 2_500;

export function StreamWord() {
  const { link } = useLive();
  switch (link.status) {
    case "live":
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
  const { link } = useLive();
  const live = useConnection();
  const nowMs = useReaderNow();
  if (link.status !== "stale" || nowMs - link.sinceMs < bannerAfterMs) return null;
  const why = link.failure === undefined ? "The server fell silent." : failureWords(link.failure).what;
  return (
    <div className="stale-banner" role="alert">
      <p>
        <strong>What you see is stale</strong> since {timeOfDay(link.sinceMs)} ({span(nowMs - link.sinceMs)}). {why}{" "}
        <span>Trying again.</span>
      </p>
      <button type="button" onClick={() => live.retryNow()}>
        Try now
      </button>
    </div>
  );
}
