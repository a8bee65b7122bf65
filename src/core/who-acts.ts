// Who acts next, in plain words at the end of every headline that is not healthy: Mainstay acts, or waits and goes on by itself, or the person who
// reads it has to. Follows from the reason, and from the plan where that says more.

import { factsOf, isWord, runbookCommand, type WhoActs } from "./reasons.ts";

const beginnings: Readonly<Record<WhoActs, string>> = {
  mainstay: "Mainstay acts by itself",
  later: "Mainstay waits and goes on by itself",
  you: "You have to act",
};

const closing = new RegExp(`\\. (${Object.values(beginnings).join("|")})\\b[^]*$`);

/** The message with its closing sentence, without a full stop at the end. One that has a closing already keeps it. */
export function sayingWhoActs(message: string, reason: string, who: WhoActs = whoActs(reason)): string {
  return closing.test(message) ? message : `${message.replace(/[.\s]+$/, "")}. ${closingOf(reason, who)}`;
}

/** What was said before it. */
export function withoutWhoActs(message: string): string {
  return message.replace(closing, "");
}

function closingOf(reason: string, who: WhoActs): string {
  const page = isWord(reason) ? runbookCommand(reason) : undefined;
  if (who === "you")
    return page === undefined ? `${beginnings.you} if this is not intended` : `${beginnings.you}: ${page} says how`;
  return page === undefined ? beginnings[who] : `${beginnings[who]} (${page})`;
}

/** By the reason alone. Nobody knows what another controller does. */
function whoActs(reason: string): WhoActs {
  return isWord(reason) ? factsOf(reason).whoActs : "later";
}
