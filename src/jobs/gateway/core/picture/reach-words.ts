// What people can still reach through a pool, in one sentence: which addresses answer through whom, and what stands against the rest.

import type { Health } from "../../../../core/views/object-view.ts";
import type { Picture } from "../../../../core/views/picture.ts";
import type { GatewayPool } from "../../apis/gateway-pool.ts";
import type { AddressView } from "./address-views.ts";
import { counted, joined, lagWords, type PoolView } from "./gateway-views.ts";
import type { ServiceView } from "./service-views.ts";

interface Reach {
  readonly pool: GatewayPool;
  readonly view: PoolView;
  readonly addresses: readonly AddressView[];
  readonly services: readonly ServiceView[];
}

export function reachWords({ pool, view, addresses, services }: Reach): Picture["reach"] {
  const aside = [...gatewayWords(view), ...refusedWords(pool), ...emptyWords(services)];
  const end = aside.length === 0 ? "" : `; ${aside.join("; ")}`;
  if (addresses.length === 0) return { health: "healthy", words: `No Service has an address here${end}.` };
  const of = (reached: AddressView["reached"]) => addresses.filter((one) => one.reached === reached);
  const [good, shaky, lost, unseen, coming] = [of("yes"), of("partly"), of("no"), of("unknown"), of("not-yet")];
  const isEmpty = services.some(({ word }) => word === "no endpoint");
  const more = [
    ...(shaky.length === 0 || good.length === 0 ? [] : [`not everybody reaches ${whyWords(shaky)}`]),
    ...(lost.length === 0 || good.length + shaky.length === 0 ? [] : [`nobody reaches ${whyWords(lost)}`]),
    ...(unseen.length === 0 || good.length + shaky.length + lost.length === 0
      ? []
      : [`of ${named(unseen)} it is not known`]),
    ...(coming.length === 0 ? [] : [`${named(coming)}: not carried yet`]),
  ];
  const said = (health: Health, words: string) => ({ health, words: `${[words, ...more].join("; ")}${end}.` });
  if (good.length > 0) {
    const { served = 0 } = pool.status?.services ?? {};
    const through = joined([...new Set(good.flatMap(({ group }) => group?.by ?? []))].toSorted());
    const isWhole = good.length === addresses.length;
    const who = isWhole ? `${counted(served, "Service", "Services")} can be reached on ` : "";
    const count = isWhole ? (pool.status?.addresses?.inUse ?? good.length) : good.length;
    const [verb, verbs] = isWhole ? ["", ""] : [" answers", " answer"];
    const words = `${who}${counted(count, `address${verb}`, `addresses${verbs}`)} through ${through}`;
    return said(lost.length + shaky.length > 0 || isEmpty ? "degraded" : "healthy", words);
  }
  if (shaky.length > 0) return said("degraded", `Not everybody reaches ${whyWords(shaky)}`);
  if (lost.length > 0) return said("degraded", `Nobody reaches ${whyWords(lost)}`);
  if (unseen.length > 0) return said("unknown", `Whether ${named(unseen)} can be reached is not known`);
  return { health: "progressing", words: `No address is carried yet${end}.` };
}

function whyWords(lost: readonly AddressView[]): string {
  return `${named(lost)} (${[...new Set(lost.map(({ word }) => word))].join("; ")})`;
}

/** The first two, and how many more. */
function named(addresses: readonly AddressView[]): string {
  const names = addresses.map(({ shown }) => shown);
  return names.length <= 3 ? joined(names) : `${names.slice(0, 2).join(", ")} and ${names.length - 2} more addresses`;
}

function gatewayWords({ gateways }: PoolView): readonly string[] {
  const silent = gateways.filter(({ state }) => state === "silent");
  const unready = gateways.filter(({ state }) => state === "unready");
  const behind = gateways.filter(({ lag }) => lag.kind === "behind" || lag.kind === "earlier-term");
  const others = gateways.length - silent.length - unready.length;
  const alone = others === 1 && gateways.length > 1 ? ", so nobody would take over" : "";
  return [
    ...(silent.length === 0
      ? []
      : [`${joined(silent.map(({ name }) => name))} ${silent.length === 1 ? "does" : "do"} not answer${alone}`]),
    ...unready.map(({ name, status }) => `${name} is not ready${status.message ? ` (${status.message})` : ""}`),
    ...behind.map(
      ({ name, lag }) => `${name} is ${lag.kind === "behind" ? lagWords(lag) : "at an earlier leader's document"}`,
    ),
  ];
}

function refusedWords({ status = {} }: GatewayPool): readonly string[] {
  const { refused = 0 } = status.services ?? {};
  const [first] = status.troubledServices ?? [];
  if (refused === 0 || first === undefined) return [];
  if (refused === 1) return [`${first.service} does not get what it asks for (${first.reason})`];
  return [`${refused} Services do not get what they ask for, such as ${first.service} (${first.reason})`];
}

function emptyWords(services: readonly ServiceView[]): readonly string[] {
  const empty = services.filter(({ word }) => word === "no endpoint").map(({ key }) => key);
  if (empty.length === 0) return [];
  const names = empty.length <= 2 ? joined(empty) : `${empty[0]} and ${empty.length - 1} more Services`;
  return [`${names} ${empty.length === 1 ? "has" : "have"} no endpoint`];
}
