// Probes over real connections, each of its own and closed at once. Certificates are not verified: nothing is sent that anybody may not
// see, and the question is whether somebody answers, not who.

import { request } from "node:https";
import { connect } from "node:net";
import type { Probe, ProbeTarget } from "../../ports/probe.ts";

export const systemProbe: Probe = {
  isAnswered: (target) => (target.how === "tcp" ? isConnected(target) : isReady(target)),
};

function isConnected({ address, port, timeoutMs }: ProbeTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: timeoutMs });
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}

/** Ready; or, where anonymous requests are refused, alive enough to refuse. */
const answers: readonly (number | undefined)[] = [200, 401, 403];

function isReady({ address, port, timeoutMs }: ProbeTarget): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request(
      { host: address, port, path: "/readyz", agent: false, rejectUnauthorized: false, signal },
      (response) => {
        resolve(answers.includes(response.statusCode));
        response.destroy();
      },
    );
    asked.once("error", () => resolve(false));
    asked.end();
  });
}
