// Balancers that no list shows to be ours: somebody cleared their tags, status was lost, and their zone has left the spec, so that nobody
// asks for their names. Listeners below them still bear our tag and say where they are, so whoever lists those asks for the balancers that
// are not known yet: none, as a rule, and then it costs nothing. A listener of ours can be below a stranger's balancer: one without a name
// of ours, or with another owner's tag, is left alone. Whether the rest is ours is decided in core/situation/known-by-parts.ts.

import { known } from "../../../../core/known.ts";
import type { LoadBalancerId } from "../../../../core/openstack/ids.ts";
import type { Listener, LoadBalancer } from "../../../../core/openstack/octavia-objects.ts";
import { OpenStackError } from "../../../../core/openstack/openstack-error.ts";
import type { Asking, Questions } from "../../../../engine/round/questions.ts";
import type { EndpointIntent } from "../../core/model/intent.ts";
import { singleName, zoneName } from "../../core/model/names.ts";
import type { BalancerObserved } from "../../core/model/observed.ts";
import { hasAnyOwnerTag, hasOwnerTag, zoneTagOf } from "../../core/model/ownership.ts";
import { attemptInTime } from "./attempt.ts";
import type { BalancersQuestion, Children } from "./observe-balancers.ts";

export interface HiddenQuestion extends BalancersQuestion, Asking {
  readonly intent: Pick<EndpointIntent, "cluster" | "deleting">;
}

export interface Hints {
  readonly questions: Questions<readonly LoadBalancer[]>;
  /** Those that were hidden when they were observed last: they are asked for until their tags are back. */
  readonly before: readonly BalancerObserved[];
  /** Undefined: nobody needs them in this round. */
  readonly children: Promise<Children> | undefined;
}

/** Strangers may bear our tag, too: no more are asked for at a time than a cluster may have zones. */
const mostAtATime = 32;

/** Beside those that are shown. What is not answered is as it was; but nothing is guessed when the finalizer may go for it. */
export async function hiddenBalancers(
  shown: readonly LoadBalancer[],
  request: HiddenQuestion,
  { questions, before, children }: Hints,
): Promise<readonly LoadBalancer[]> {
  if (children === undefined && before.length === 0) return [];
  const isShown = ({ id }: { readonly id: string }) => shown.some((balancer) => balancer.id === id);
  const ask = async (): Promise<readonly LoadBalancer[]> => {
    const { listeners } = (await children) ?? { listeners: [] };
    const all = [...before.flatMap((seen) => seen.listeners), ...listeners];
    const hints = hintsOf(all, request).filter((hint) => !isShown(hint));
    const found = await Promise.all(hints.slice(0, mostAtATime).map((hint) => lookUp(hint, request)));
    return found.flat();
  };
  const isLastLook = request.intent.deleting && shown.length === 0;
  const answered = isLastLook
    ? known(await ask())
    : await attemptInTime("balancers by their listeners", async () => {
        const answer = await questions.ask("hidden", { about: "", ask }, request);
        return answer === "awaited" ? answer : answer.value;
      });
  const rows = answered.known ? answered.value : before.map(({ balancer }) => balancer);
  return rows.filter((row) => !isShown(row));
}

interface Hint {
  readonly id: LoadBalancerId;
  readonly names: ReadonlySet<string>;
}

/** Where listeners of ours are, and how their balancers may be called. */
function hintsOf(listeners: readonly Listener[], { intent, ownerId }: HiddenQuestion): readonly Hint[] {
  const { cluster } = intent;
  const byId = new Map<LoadBalancerId, Set<string>>();
  for (const { loadBalancerId: id, tags } of listeners) {
    if (!hasOwnerTag(tags, ownerId)) continue;
    const zone = zoneTagOf(tags);
    const names = byId.get(id) ?? new Set([singleName(cluster)]);
    byId.set(id, zone === undefined ? names : names.add(zoneName(cluster, zone)));
  }
  return [...byId].map(([id, names]) => ({ id, names }));
}

async function lookUp({ id, names }: Hint, request: HiddenQuestion): Promise<readonly LoadBalancer[]> {
  const { octavia, ownerId, call } = request;
  try {
    const balancer = await octavia.getLoadBalancer(id, call);
    const isAnothers = hasAnyOwnerTag(balancer.tags) && !hasOwnerTag(balancer.tags, ownerId);
    return names.has(balancer.name) && !isAnothers ? [balancer] : [];
  } catch (error) {
    if (error instanceof OpenStackError && error.code === "NotFound") return [];
    throw error;
  }
}
