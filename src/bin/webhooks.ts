// The webhooks of a manager, with the certificate that lies in a folder. It is read again every minute, so that a renewed one is used
// without a restart; one that cannot be read leaves the old one in use.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Configuration } from "../cli/configuration/configuration.ts";
import { MainstayError } from "../core/errors.ts";
import type { JobDeclaration } from "../core/job/declaration.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import type { Log } from "../ports/log.ts";
import { startWebhookServer, type WebhookServer, type WebhookTls } from "../server/webhooks/webhook-server.ts";

const rereadMs = 60_000;

export interface Webhooks {
  readonly address: string;
  close(): Promise<void>;
}

export async function startWebhooks(
  { webhook }: Configuration,
  log: Log,
  jobs: readonly JobDeclaration[],
): Promise<Webhooks | undefined> {
  const { enabled, bind, port, certificateFolder } = webhook;
  if (!enabled) return undefined;
  const tls = await readCertificate(certificateFolder);
  const server = await startWebhookServer({ tls, bind, port, log, jobs });
  const stop = followCertificate(server, certificateFolder, tls, log);
  return {
    address: server.address,
    close: async () => {
      stop();
      await server.close();
    },
  };
}

function followCertificate(server: WebhookServer, folder: string, first: WebhookTls, log: Log): () => void {
  let current = first;
  let timer = systemClock.after(rereadMs, reread);
  function reread(): void {
    void readCertificate(folder)
      .then((tls) => {
        if (tls.cert === current.cert && tls.key === current.key) return;
        server.renew(tls);
        current = tls;
        log.info("webhook certificate renewed", { folder });
      })
      .catch((error: unknown) =>
        log.warn("webhook certificate cannot be read; the old one stays in use", { folder, error }),
      )
      .finally(() => {
        timer = systemClock.after(rereadMs, reread);
      });
  }
  return () => timer.cancel();
}

async function readCertificate(folder: string): Promise<WebhookTls> {
  try {
    const [cert, key] = await Promise.all(["tls.crt", "tls.key"].map((name) => readFile(join(folder, name), "utf8")));
    return { cert: cert ?? "", key: key ?? "" };
  } catch (cause) {
    throw new MainstayError({
      reason: "ConfigurationInvalid",
      message: `webhook.certificateFolder: ${folder} has no tls.crt and tls.key that can be read`,
      hint: "Mount the Secret of deploy/webhook/certificate.yaml there, or switch webhook.enabled off.",
      cause,
    });
  }
}
