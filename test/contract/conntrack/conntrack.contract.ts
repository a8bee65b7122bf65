// The contract of the kernel's table of connections, as a gateway's agent clears it: one suite, on the fake and on the real kernel.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ConnectionsTo, Conntrack } from "../../../src/ports/conntrack.ts";

export interface ConntrackTarget {
  open(): Promise<ConntrackSession>;
}

export interface ConntrackSession {
  readonly conntrack: Conntrack;
  /** The table holds one connection for each of these, and none else. */
  hold(connections: readonly Required<ConnectionsTo>[]): Promise<void>;
  /** As `textOf` writes them, in one order. */
  left(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function textOf({ protocol, address, port, endpoint }: ConnectionsTo): string {
  return `${protocol} ${address} ${port} ${endpoint?.address} ${endpoint?.port}`;
}

const endpoints = [
  { address: "10.0.0.11", port: 8_080 },
  { address: "10.0.0.12", port: 8_080 },
] as const;
const web: ConnectionsTo = { address: "198.18.0.100", protocol: "TCP", port: 80 };
const names: ConnectionsTo = { address: "198.18.0.100", protocol: "UDP", port: 80 };
const signals: ConnectionsTo = { address: "198.18.0.100", protocol: "SCTP", port: 80 };
const six: ConnectionsTo = { address: "fd00:e::100", protocol: "UDP", port: 80 };
const otherPort: ConnectionsTo = { ...names, port: 81 };
const otherAddress: ConnectionsTo = { ...names, address: "198.18.0.101" };

const all = [
  ...[web, names, signals, otherPort, otherAddress].flatMap((to) => endpoints.map((endpoint) => ({ ...to, endpoint }))),
  { ...six, endpoint: { address: "fd00:b::11", port: 8_080 } },
  { ...six, endpoint: { address: "fd00:b::12", port: 8_080 } },
];

export function conntrackContract(target: ConntrackTarget): void {
  let session: ConntrackSession;
  beforeAll(async () => {
    session = await target.open();
  });
  beforeEach(() => session.hold(all));
  afterAll(() => session?.close());

  const leaves = async (kept: readonly ConnectionsTo[]) =>
    expect(await session.left()).toEqual(kept.map(textOf).toSorted());
  const isTo = (to: ConnectionsTo) => (one: ConnectionsTo) =>
    one.address === to.address && one.protocol === to.protocol && one.port === to.port;

  test.each<[string, ConnectionsTo]>([
    ["TCP", web],
    ["UDP", names],
    ["SCTP", signals],
    ["IPv6", six],
  ])("%s: all connections to a port are forgotten, and no other", async (_, to) => {
    await session.conntrack.forget([to]);
    await leaves(all.filter((one) => !isTo(to)(one)));
  });

  test("those to one endpoint are forgotten, and the others to the same port stay", async () => {
    await session.conntrack.forget([{ ...names, endpoint: endpoints[0] }]);
    await leaves(all.filter((one) => !(isTo(names)(one) && one.endpoint.address === endpoints[0].address)));
  });

  test("several at once, of both families, with some among them that are not there", async () => {
    await session.conntrack.forget([
      { ...web, port: 9 },
      names,
      six,
      { ...web, endpoint: { ...endpoints[0], port: 1 } },
    ]);
    await leaves(all.filter((one) => !isTo(names)(one) && !isTo(six)(one)));
  });

  test("none there is no failure, and neither is nothing to forget", async () => {
    await session.hold([]);
    await session.conntrack.forget([web, six]);
    await session.conntrack.forget([]);
    await leaves([]);
  });

  test("more at once than one process is given", async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...web, port: 1_000 + index }));
    await session.conntrack.forget([...many, web]);
    await leaves(all.filter((one) => !isTo(web)(one)));
  });
}
