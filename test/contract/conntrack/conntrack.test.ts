// The contract suite of the table of connections on the fake and on the real kernel.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { linuxConntrack } from "../../../src/drivers/linux/conntrack.ts";
import { FakeGateway } from "../../../src/jobs/gateway/sim/fake-gateway.ts";
import type { ConnectionsTo } from "../../../src/ports/conntrack.ts";
import { describeLab, labGateway } from "../../lab.ts";
import { makeNftNamespace } from "../nft/nft-namespace.ts";
import { type ConntrackTarget, conntrackContract, textOf } from "./conntrack.contract.ts";

const fake: ConntrackTarget = {
  open: () => {
    const gateway = new FakeGateway();
    return Promise.resolve({
      conntrack: gateway.conntrack,
      hold: (connections) => Promise.resolve(void (gateway.connections = connections)),
      left: () => Promise.resolve(gateway.connections.map(textOf).toSorted()),
      close: () => Promise.resolve(),
    });
  },
};

const real: ConntrackTarget = {
  async open() {
    const kernel = await makeNftNamespace();
    const folder = await mkdtemp(join(tmpdir(), "mainstay-conntrack-"));
    const conntrack = linuxConntrack({ folder, command: [...kernel.prefix, "conntrack"] });
    const run = (args: readonly string[]) => kernel.run("conntrack", args);
    return {
      conntrack,
      async hold(connections) {
        await run(["-F"]);
        for (const [index, one] of connections.entries()) await run(insertion(one, 20_000 + index));
      },
      async left() {
        const listings = [await run(["-L", "-f", "ipv4"]), await run(["-L", "-f", "ipv6"])];
        return listings.join("").split("\n").flatMap(connectionIn).toSorted();
      },
      async close() {
        expect(await readdir(folder)).toEqual([]);
        await rm(folder, { recursive: true });
        await kernel.remove();
      },
    };
  },
};

/** A connection that nobody ever opened. */
function insertion({ address, protocol, port, endpoint }: Required<ConnectionsTo>, from: number): readonly string[] {
  const client = address.includes(":") ? "fd00:e::9" : "198.18.0.9";
  const state = {
    TCP: "--state ESTABLISHED",
    UDP: "",
    SCTP: "--state ESTABLISHED --orig-vtag 1 --reply-vtag 2",
  };
  const text = [
    `-I -p ${protocol.toLowerCase()} -t 600 ${state[protocol]}`,
    `-s ${client} -d ${address} --sport ${from} --dport ${port}`,
    `-r ${endpoint.address} -q ${client} --reply-port-src ${endpoint.port} --reply-port-dst ${from}`,
  ].join(" ");
  return text.split(/ +/);
}

function connectionIn(line: string): readonly string[] {
  const [protocol] = line.split(" ");
  const values = [...line.matchAll(/(?:src|dst|sport|dport)=(\S+)/g)].map(([, value]) => value ?? "");
  // Of the client's packets, then of the endpoint's: source, destination, and their ports.
  const [, address, , port, endpoint, , endpointPort] = values;
  return address === undefined ? [] : [`${protocol?.toUpperCase()} ${address} ${port} ${endpoint} ${endpointPort}`];
}

describe("conntrack contract on the fake", () => conntrackContract(fake));

describeLab("conntrack contract on the real kernel", labGateway, () => conntrackContract(real));

test("without the program, the error names the package that brings it", async () => {
  const to = { address: "198.18.0.100", protocol: "TCP", port: 80 } as const;
  await expect(
    linuxConntrack({ folder: tmpdir(), command: ["/nowhere/conntrack"] }).forget([to]),
  ).rejects.toMatchObject({
    reason: "ProgramMissing",
    hint: expect.stringContaining("apt-get install conntrack"),
  });
});
