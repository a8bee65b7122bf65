// Counters of our own tables as traffic of forwardings: `forwardings` counts what opens a connection, `received` and `sent` every packet.

import { canonicalAddress } from "../../../core/net/ip.ts";
import type { ElementCount, Nft } from "../../../ports/nft.ts";
import { nftFamilies, tableName } from "../core/dataplane/nft-family.ts";
import { forwardingKey, type Protocol } from "../core/model/document.ts";
import type { ForwardingTraffic } from "./dataplane.ts";

const protocols: Readonly<Record<string, Protocol>> = {
  tcp: "TCP",
  udp: "UDP",
  sctp: "SCTP",
  "6": "TCP",
  "17": "UDP",
  "132": "SCTP",
};

export async function readTraffic(nft: Nft): Promise<readonly ForwardingTraffic[]> {
  const found = new Map<string, ForwardingTraffic>();
  for (const { ip } of nftFamilies) {
    // One after the other: each reads all of the table.
    const opened = await nft.counters({ family: ip, table: tableName, kind: "map", name: "forwardings" });
    const received = byKey(await nft.counters({ family: ip, table: tableName, kind: "set", name: "received" }));
    const sent = byKey(await nft.counters({ family: ip, table: tableName, kind: "set", name: "sent" }));
    for (const element of opened) {
      const key = keyOf(element);
      if (key === undefined) continue;
      found.set(key, {
        key,
        connections: element.packets,
        received: received.get(key) ?? none,
        sent: sent.get(key) ?? none,
      });
    }
  }
  return [...found.values()];
}

const none = { packets: 0, bytes: 0 };

function byKey(
  elements: readonly ElementCount[],
): ReadonlyMap<string, { readonly packets: number; readonly bytes: number }> {
  return new Map(
    elements.flatMap((element) => {
      const key = keyOf(element);
      return key === undefined ? [] : [[key, { packets: element.packets, bytes: element.bytes }] as const];
    }),
  );
}

function keyOf({ parts: [address = "", protocol = "", port = ""] }: ElementCount): string | undefined {
  const [known, canonical] = [protocols[protocol], canonicalAddress(address)];
  return known === undefined || canonical === undefined
    ? undefined
    : forwardingKey({ address: canonical, protocol: known, port: Number(port) });
}
