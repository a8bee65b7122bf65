// The one thing of a kubelet that `kubectl logs` needs: the API server asks it for a container's log. It answers with lines of Mainstay's
// own log, one for each reason, written by the log that the manager writes with.

import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { explain } from "../../src/core/explain.ts";
import { allReasons, isReason } from "../../src/core/reasons.ts";
import { jsonLog } from "../../src/drivers/system/json-log.ts";
import { selfSigned } from "../contract/kube/self-signed.ts";

export interface StandInKubelet {
  readonly port: number;
  close(): Promise<void>;
}

export async function startStandInKubelet(): Promise<StandInKubelet> {
  const { certificate, key } = selfSigned();
  const log = managerLog();
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const known = request.url?.startsWith("/containerLogs/") === true;
    response.writeHead(known ? 200 : 404, { "content-type": "text/plain" }).end(known ? log : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function managerLog(): string {
  const lines: string[] = [];
  const log = jsonLog({ level: "info", to: { write: (line) => void lines.push(line) } });
  for (const name of allReasons().keys()) {
    if (!isReason(name)) continue;
    const { reason, text, runbook } = explain(name);
    log.error("reconcile failed", { reason, message: text, runbook });
  }
  // As leader-lease.ts and the informer write them.
  log.warn("no longer leading", { why: "the lease was not renewed" });
  log.warn("watch restarts", { reason: "expired" });
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}
