// What people can still reach, in one sentence: through which zones the API answers.

import type { Picture } from "../../../../core/views/picture.ts";
import type { KnownCondition } from "../../apis/load-balancer/api-server-load-balancer.ts";
import { type Answer, mayServeInError, serves, type Way, wayName } from "./way.ts";

export function reachWords(ways: readonly Way[], lastKnown: readonly KnownCondition[] = []): Picture["reach"] {
  const named = (answer: Answer) => ways.filter((way) => way.published !== false && serves(way) === answer);
  const [answering, unseen] = [named("yes"), named("unknown")];
  const lost = ways.filter((way) => serves(way) === "no");
  const doubtful = doubts(unseen);
  const aside = unnamed(ways);
  if (answering.length > 0) {
    const others = [...(lost.length === 0 ? [] : [`not through ${listed(lost)}`]), ...doubtful, ...aside];
    // Some of those who take the name's addresses in turn get no answer.
    const isSentNowhere = lost.some((way) => way.published === true);
    return {
      health: isSentNowhere ? "degraded" : "healthy",
      words: `${[`The API answers through ${listed(answering)}`, ...others].join(", ")}.`,
    };
  }
  if (unseen.length > 0) {
    const before = lastKnown.some(({ type, status }) => type === "Ready" && status === "True");
    const remembered = before ? " When last seen, the API could be reached." : "";
    const isHidden = unseen.some((way) => !mayServeInError(way));
    const usual = isHidden
      ? " Load balancers normally go on serving without Mainstay and without the cloud's API."
      : "";
    return {
      health: "unknown",
      words: `Whether the API answers is not known: ${[...doubtful, ...aside].join(", ")}.${usual}${remembered}`,
    };
  }
  const isBeingMade = ways.every(({ health }) => health === "progressing" || health === "refused");
  if (isBeingMade && aside.length === 0)
    return { health: "progressing", words: "The API does not answer yet: no load balancer serves." };
  const nowhere = lost.length === 0 ? [] : [`it does not answer through ${listed(lost, " or ")}`];
  return { health: "unhealthy", words: `Nobody reaches the API: ${[...nowhere, ...aside].join(", ")}.` };
}

/** Nobody comes by a way that the records do not name, although somebody there may answer. */
function unnamed(ways: readonly Way[]): readonly string[] {
  const aside = ways.filter(({ published }) => published === false);
  const could = aside.filter((way) => serves(way) === "unknown");
  return [
    ...told(
      aside.filter((way) => serves(way) === "yes"),
      ["serves, but is not in DNS", "serve, but are not in DNS"],
    ),
    ...told(
      could.filter((way) => mayServeInError(way)),
      ["is in ERROR and not in DNS", "are in ERROR and not in DNS"],
    ),
    ...told(
      could.filter((way) => !mayServeInError(way)),
      ["could not be seen and is not in DNS", "could not be seen and are not in DNS"],
    ),
  ];
}

function doubts(unseen: readonly Way[]): readonly string[] {
  return [
    ...told(
      unseen.filter((way) => mayServeInError(way)),
      ["is in ERROR and may still serve", "are in ERROR and may still serve"],
    ),
    ...told(
      unseen.filter((way) => !mayServeInError(way)),
      ["could not be seen", "could not be seen"],
    ),
  ];
}

function told(ways: readonly Way[], [one, several]: readonly [string, string]): readonly string[] {
  return ways.length === 0 ? [] : [`${listed(ways)} ${ways.length === 1 ? one : several}`];
}

function listed(ways: readonly Way[], last = " and "): string {
  const names = ways.map((way) => wayName(way));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${last}${names.at(-1)}`;
}
