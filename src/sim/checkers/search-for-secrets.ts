// The last step of a run: whatever people can be shown of the system is given to the checkers, which search it for secret markers.

import { loadAllCommands } from "../../cli/when-called.ts";
import { noOpenStack } from "../fakes/openstack/no-openstack.ts";
import type { World } from "../run/world.ts";
import { streamOf } from "../time/derive-seed.ts";
import { shownToPeople } from "./shown-to-people.ts";

/** Far more turns of the event loop than it takes; whoever waits longer waits for time to pass, which it does not do here. */
const maxTurns = 5_000;

export async function searchForSecrets(world: World): Promise<void> {
  const { fleet, events, kube, scheduler, options } = world;
  await loadAllCommands();
  const collected = new Set<string>();
  const collecting = shownToPeople({
    running: fleet.running,
    kube: options.overrides?.people?.(kube) ?? kube,
    worldKube: kube,
    nowMs: scheduler.nowMs,
    random: streamOf(options.seed, "people"),
    product: options.product,
    openStack: world.jobs.find(({ openStack }) => openStack !== undefined)?.openStack ?? noOpenStack,
  }).finally(() => collected.add("everything"));
  for (let turn = 0; turn < maxTurns && collected.size === 0; turn += 1) await options.settle();
  if (collected.size === 0)
    return world.break("simulation", "what people are shown waits for something that never happens");
  for (const shown of await collecting) events.emit("shown", shown);
}
