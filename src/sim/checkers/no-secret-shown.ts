// Every credential holds a secret marker. None may be seen in anything that leaves a process or that people read, however it is
// written there (secret-marker.ts).

import { describeCall } from "../network/port-call.ts";
import type { Checker } from "./checker.ts";
import { secretMarkerIn } from "./secret-marker.ts";
import { spellOut } from "./spell-out.ts";

export const noSecretShown: Checker = {
  name: "no-secret-shown",
  promise:
    "no credential is seen in a log, an event, a status or any other write, an error, the trace, or what people are shown",
  watch: (view, broken) => {
    const search = (text: string, where: () => string): void => {
      const form = secretMarkerIn(text);
      if (form !== undefined) broken(`${where()} a secret (${form})`);
    };
    view.on("logged", ({ process, text }) => search(text, () => `${process.name} logged`));
    view.on("left", ({ call }) =>
      search(
        `${call.target}\n${call.path}\n${call.body}`,
        () => `${call.process.name} sent with ${describeWithoutSecret(call)}`,
      ),
    );
    view.on("failed", ({ process, where, error }) =>
      search(spellOut(error), () => `an error of ${where} in ${process.name} carries`),
    );
    view.on("traced", ({ line }) => search(line, () => "the trace shows"));
    view.on("shown", ({ where, text }) => search(text, () => `${where} shows`));
  },
};

/** Without its target where that has the secret. */
function describeWithoutSecret(call: Parameters<typeof describeCall>[0]): string {
  return secretMarkerIn(call.target) === undefined ? describeCall(call) : call.verb;
}
