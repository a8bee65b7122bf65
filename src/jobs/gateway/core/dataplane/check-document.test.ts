import fc from "fast-check";
import { expect, test } from "vitest";
import {
  forwarding,
  gatewayDocument,
  hostileDocuments,
  localGateway,
} from "../../../../../test/support/gateway-documents.ts";
import type { Forwarding, GatewayDocument, VrrpGroup } from "../model/document.ts";
import { checkDocument } from "./check-document.ts";
import { decodeDocument } from "./decode-document.ts";
import { renderRuleset } from "./render-ruleset.ts";

const neighbour = forwarding({ port: 443, service: "default/neighbour" });
const six = (address: string) => ({ address: "fd00:e::100", endpoints: [{ address, port: 8080 }], buckets: [0] });
const at = (address: string, port = 8080) => ({ endpoints: [{ address, port }], buckets: [0] });

test.each<[string, Partial<Forwarding>, RegExp]>([
  ["an address that is none", { address: "web.example.com" }, /"web.example.com" is no address/],
  ["an address that the document does not list", { address: "198.18.0.199" }, /no address of the document/],
  ["port 0", { port: 0 }, /port 0 is not from 1 to 65535/],
  ["a port that is too large", { port: 65_536 }, /port 65536/],
  ["half a port", { port: 80.5 }, /port 80.5/],
  ["a Service without a namespace", { service: "web" }, /service is not namespace\/name/],
  ["a Service with a line break", { service: "default/web\nx" }, /service is not/],
  ["an endpoint that is none", at("198.19.0.999"), /"198.19.0.999" is no address/],
  ["an endpoint of IPv6", at("fd00:c::21"), /not of the family IPv4/],
  ["an endpoint of IPv4 behind IPv6", six("198.19.0.21"), /not of the family IPv6/],
  ["a loopback endpoint", at("127.0.0.1"), /loopback/],
  ["a loopback endpoint of IPv6", six("::1"), /loopback/],
  ["a link-local endpoint", at("169.254.169.254"), /link-local/],
  ["a link-local endpoint of IPv6", six("fe80::1"), /link-local/],
  ["a multicast endpoint", at("224.0.0.18"), /multicast/],
  ["a broadcast endpoint", at("255.255.255.255"), /broadcast/],
  ["an unspecified endpoint", six("::"), /unspecified/],
  ["an IPv4 address within IPv6", six("::ffff:198.19.0.21"), /within IPv6/],
  ["an endpoint that is an address of a Service", at("198.18.0.101"), /is an address of a Service/],
  ["an endpoint that is a source address", six("FD00:C:0::101"), /is a source address/],
  ["an endpoint that is the gateway itself", at("198.19.0.2"), /this gateway's own/],
  ["an endpoint with port 0", at("198.19.0.21", 0), /port 0/],
  ["buckets and no endpoints", { endpoints: [] }, /buckets and no endpoints/],
  ["endpoints and no buckets", { buckets: [] }, /it has 0 buckets/],
  ["a number of buckets that no chain has", { buckets: [0, 1, 0] }, /it has 3 buckets/],
  ["a bucket that leads nowhere", { buckets: [0, 2] }, /endpoint 2 of 2/],
  ["a bucket that is negative", { buckets: [0, -1] }, /endpoint -1 of 2/],
  ["half a bucket", { buckets: [0, 0.5] }, /endpoint 0.5 of 2/],
  ["an allowed source that is none", { allowedSources: ["10.0.0.0/33"] }, /"10.0.0.0\/33" is no range/],
  ["an allowed source of IPv6", { allowedSources: ["fd00::/8"] }, /fd00::\/8 is not of the family IPv4/],
  ["what another forwarding has already", { port: 443 }, /are there already/],
])("%s is left out and reported, and its neighbour stays", (_, fields, message) => {
  const bad = forwarding(fields);
  const checked = checkDocument(gatewayDocument({ forwardings: [neighbour, bad] }), localGateway);
  expect(checked.good.forwardings).toEqual([neighbour]);
  expect(checked.problems).toEqual([
    { subject: `${bad.address}/TCP/${bad.port}`, service: bad.service, message: expect.stringMatching(message) },
  ]);
});

test("a good document is passed on with the same forwardings, and nothing is reported", () => {
  const document = gatewayDocument({
    forwardings: [neighbour, forwarding(), forwarding({ endpoints: [], buckets: [] })].map((one, index) => ({
      ...one,
      port: 80 + index,
    })),
  });
  const checked = checkDocument(document, localGateway);
  expect(checked).toEqual({ good: document, problems: [] });
  expect(checked.good.forwardings[0]).toBe(document.forwardings[0]);
});

test("a forwarding that became bad keeps its last good version, at its place", () => {
  const good = forwarding();
  const previous = gatewayDocument({ forwardings: [good, neighbour] });
  const after = gatewayDocument({ forwardings: [{ ...good, buckets: [7] }, neighbour] });
  const checked = checkDocument(after, localGateway, { previous });
  expect(checked.good.forwardings).toEqual([good, neighbour]);
  expect(checked.problems[0]?.message).toMatch(/endpoint 7 of 2; its last good version stays/);
});

test("a last good version that no longer fits is left out, too", () => {
  const good = forwarding({ endpoints: [{ address: "198.19.0.21", port: 80 }], buckets: [0] });
  const previous = gatewayDocument({ forwardings: [good] });
  const addresses = [...previous.addresses, { address: "198.19.0.21", group: "a" }];
  const after = gatewayDocument({ addresses, forwardings: [{ ...good, port: 80, buckets: [5] }] });
  expect(checkDocument(after, localGateway, { previous }).good.forwardings).toEqual([]);
});

test("a forwarding that cannot be read keeps its last good version", () => {
  const previous = gatewayDocument({ forwardings: [forwarding()] });
  const decoded = decodeDocument({ ...previous, forwardings: [{ ...forwarding(), buckets: "all" }] });
  if (decoded.kind === "malformed") throw new Error("the frame is good");
  const checked = checkDocument(decoded.document, localGateway, { previous, unreadable: decoded.unreadable });
  expect(checked.good.forwardings).toEqual([forwarding()]);
  expect(checked.problems).toEqual([
    expect.objectContaining({ subject: "198.18.0.100/TCP/80", service: "default/web" }),
  ]);
});

test("two forwardings that keep the client's address do not share an endpoint's port", () => {
  const one = forwarding({ source: "client" });
  const forwardings = [one, forwarding({ port: 81, source: "client" }), forwarding({ port: 82 })];
  const { good, problems } = checkDocument(gatewayDocument({ forwardings }), localGateway);
  expect(good.forwardings.map(({ port }) => port)).toEqual([80, 82]);
  expect(problems.map(({ message }) => message)).toEqual([
    "it keeps the client's address and shares an endpoint with 198.18.0.100/TCP/80",
  ]);
});

const group = (fields: Partial<VrrpGroup>): VrrpGroup => ({
  name: "b",
  virtualRouterId: 52,
  order: ["gw-1"],
  sourceAddresses: ["198.19.0.111"],
  ...fields,
});

test.each<[string, Partial<VrrpGroup>, RegExp]>([
  ["a name that is none", { name: "b {" }, /no name of a group/],
  ["a name that is taken", { name: "a" }, /of this name/],
  ["a router id that is taken", { virtualRouterId: 51 }, /another group's/],
  ["router id 0", { virtualRouterId: 0 }, /from 1 to 255/],
  ["router id 256", { virtualRouterId: 256 }, /from 1 to 255/],
  ["a gateway whose name is none", { order: ["gw 1"] }, /"gw 1" is no name of a gateway/],
  ["a source address that is none", { sourceAddresses: ["198.19.0.111/24"] }, /is no address/],
  ["a source address of another group", { sourceAddresses: ["198.19.0.101"] }, /there already/],
  ["a source address twice", { sourceAddresses: ["198.19.0.111", "198.19.0.111"] }, /twice/],
  ["a source address of the gateway's own", { sourceAddresses: ["198.19.0.2"] }, /this gateway's own/],
  ["no IPv4 source address", { sourceAddresses: ["fd00:c::111"] }, /no IPv4 source/],
])("a group with %s is left out with its addresses and forwardings, and the other stays", (_, fields, message) => {
  const base = gatewayDocument();
  const bad = group(fields);
  const theirs = bad.name === "a" ? "b" : bad.name;
  const document: GatewayDocument = {
    ...base,
    groups: [...base.groups, bad],
    addresses: [...base.addresses, { address: "198.18.0.200", group: theirs }],
    forwardings: [neighbour, forwarding({ address: "198.18.0.200" })],
  };
  const { good, problems } = checkDocument(document, localGateway);
  expect(good).toEqual({ ...base, forwardings: [neighbour] });
  expect(problems.map(({ subject }) => subject)).toEqual([`group ${bad.name}`, "198.18.0.200", "198.18.0.200/TCP/80"]);
  expect(problems[0]?.message).toMatch(message);
});

test("an address is carried once, and never an address of the gateway's own", () => {
  const base = gatewayDocument();
  const more = ["198.18.0.2", "FD00:E::100", "224.0.0.1"].map((address) => ({ address, group: "a" }));
  const { good, problems } = checkDocument({ ...base, addresses: [...base.addresses, ...more] }, localGateway);
  expect(good).toEqual(base);
  expect(problems.map(({ message }) => message)).toEqual([
    "198.18.0.2 is an address of this gateway's own",
    "fd00:e::100 is there already",
    '"224.0.0.1" is a multicast address',
  ]);
});

test("a forwarding of IPv6 needs a source address of IPv6, unless the client's address stays", () => {
  const groups = gatewayDocument().groups.map((one) => ({ ...one, sourceAddresses: ["198.19.0.101"] }));
  const forwardings = [forwarding(six("fd00:c::21")), forwarding({ ...six("fd00:c::21"), port: 81, source: "client" })];
  const { good, problems } = checkDocument(gatewayDocument({ groups, forwardings }), localGateway);
  expect(good.forwardings.map(({ port }) => port)).toEqual([81]);
  expect(problems[0]?.message).toBe("the group a has no source address of the family IPv6");
});

// An element is addresses, numbers and words of a closed set, and nothing else.
const number = "0x[0-9a-f]+|[0-9]+";
const word = `[0-9a-f:.]+(/[0-9]+)?|tcp|udp|sctp|${number}`;
const data = `(${word})( \\. (${word}))*|drop|goto (refuse|single|by_(client|connection)_[0-9]+)`;
const elementLine = new RegExp(`^ {2}(${word})( \\. (${word}))*( : (${data}))?,?$`);

test("whatever is sent, only elements depend on it, and an element holds addresses, numbers and known words", () => {
  const rules = renderRuleset(gatewayDocument(), localGateway).split("\n");
  let carried = 0;
  fc.assert(
    fc.property(hostileDocuments(), (value) => {
      const decoded = decodeDocument(JSON.parse(JSON.stringify(value)));
      if (decoded.kind === "malformed") return;
      const { good, problems } = checkDocument(decoded.document, localGateway, decoded);
      carried += good.forwardings.length;
      expect(good.forwardings.length + problems.length).toBeGreaterThanOrEqual(decoded.document.forwardings.length);
      const text = renderRuleset(good, localGateway);
      const outside = text.replace(
        /^(add element ip6? mainstay [a-z_]+) \{\n((?: {2}.*\n)*)\}$/gm,
        (_, head, body: string) => {
          expect(
            body
              .trimEnd()
              .split("\n")
              .filter((line) => !elementLine.test(line)),
          ).toEqual([]);
          return `${head} {\n}`;
        },
      );
      const known = new Set(rules);
      const news = outside.split("\n").filter((line) => !known.has(line));
      expect(news.filter((line) => !/^add element ip6? mainstay [a-z_]+ \{$/.test(line))).toEqual([]);
    }),
    { numRuns: 250 },
  );
  expect(carried).toBeGreaterThan(50);
});
