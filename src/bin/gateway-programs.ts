// The programs of a gateway that the agent is given: nft, keepalived and conntrack of this machine. Wiring only.

import { join } from "node:path";
import { linuxConntrack } from "../drivers/linux/conntrack.ts";
import { linuxKeepalived } from "../drivers/linux/keepalived.ts";
import { linuxNft } from "../drivers/linux/nft.ts";
import { linuxSysctls } from "../drivers/linux/sysctls.ts";
import { systemClock } from "../drivers/system/system-clock.ts";
import type { AgentConfiguration } from "../jobs/gateway/agent/configuration/agent-configuration.ts";
import { readyBonus } from "../jobs/gateway/core/keepalived/priorities.ts";
import type { Log } from "../ports/log.ts";
import type { GatewayPrograms } from "./agent.ts";

export function gatewayPrograms({ folder }: AgentConfiguration, log: Log): GatewayPrograms {
  const nft = linuxNft();
  const keepalived = linuxKeepalived({
    folder: join(folder, "keepalived"),
    readyValue: readyBonus,
    clock: systemClock,
    log,
  });
  const conntrack = linuxConntrack({ folder: join(folder, "conntrack") });
  return {
    nft,
    keepalived,
    conntrack,
    sysctls: linuxSysctls(),
    readyFile: keepalived.readyFile,
    installed: async () => void (await Promise.all([nft.version(), keepalived.version(), conntrack.version()])),
    release: () => keepalived.release(),
  };
}
