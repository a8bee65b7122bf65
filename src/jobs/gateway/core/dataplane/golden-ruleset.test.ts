import { expect, test } from "vitest";
import { forwarding, gatewayDocument, localGateway } from "../../../../../test/support/gateway-documents.ts";
import { renderChange } from "./render-change.ts";
import { renderRemoval, renderRuleset } from "./render-ruleset.ts";

const four = forwarding({ buckets: [0, 1, 0, 1], affinity: "client", allowedSources: ["10.1.0.0/16", "10.0.0.0/8"] });
const six = forwarding({
  address: "fd00:e::100",
  endpoints: [{ address: "FD00:C::21", port: 8080 }],
  buckets: [0],
  source: "client",
});
const empty = forwarding({ protocol: "UDP", port: 53, endpoints: [], buckets: [] });
const document = gatewayDocument({ forwardings: [four, six, empty] });

test("a small dual-stack document is this ruleset", () => {
  expect(renderRuleset(document, localGateway)).toMatchInlineSnapshot(`
    "table ip mainstay
    delete table ip mainstay
    table ip mainstay {
      set addresses {
        type ipv4_addr
      }
      set sources {
        type ipv4_addr
      }
      map source_of {
        type ipv4_addr . mark : ipv4_addr
      }
      set restricted {
        type ipv4_addr . inet_proto . inet_service
      }
      set allowed {
        type ipv4_addr . inet_proto . inet_service . ipv4_addr
        flags interval
      }
      map empty {
        type ipv4_addr . inet_proto . inet_service : verdict
      }
      map forwardings {
        type ipv4_addr . inet_proto . inet_service : verdict
        counter
      }
      map endpoint {
        type ipv4_addr . inet_proto . inet_service : ipv4_addr . inet_service
      }
      map endpoints {
        type ipv4_addr . inet_proto . inet_service . mark : ipv4_addr . inet_service
      }
      set keeps_client {
        type ipv4_addr . inet_proto . inet_service
      }
      set hairpin {
        type ipv4_addr . inet_proto . inet_service . ipv4_addr
      }
      set returning {
        type ipv4_addr . inet_proto . inet_service
      }
      map returns_as {
        type ipv4_addr . inet_proto . inet_service : ipv4_addr . inet_service
      }
      set received {
        type ipv4_addr . inet_proto . inet_service
        counter
      }
      set sent {
        type ipv4_addr . inet_proto . inet_service
        counter
      }
      set own {
        type ipv4_addr
        elements = { 198.18.0.2, 198.19.0.2 }
      }
      chain admit {
        type filter hook prerouting priority dstnat - 10; policy accept;
        ct state != new accept
        ip daddr . meta l4proto . th dport @restricted ip daddr . meta l4proto . th dport . ip saddr != @allowed counter drop
        ip daddr . meta l4proto . th dport vmap @empty
      }
      chain refuse {
        meta l4proto tcp counter reject with tcp reset
        counter reject with icmp port-unreachable
      }
      chain translate {
        type nat hook prerouting priority dstnat; policy accept;
        ip daddr . meta l4proto . th dport vmap @forwardings
        iifname "int0" ip saddr . meta l4proto . th sport @returning ct mark set ct mark & 0xfffffffe | 0x1
      }
      chain single {
        ct mark set ct mark & 0xfffffffe | 0x1
        dnat ip addr . port to ip daddr . meta l4proto . th dport map @endpoint
      }
      chain by_connection_2 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 2 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_4 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 4 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_8 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 8 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_16 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 16 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_64 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 64 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_256 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 256 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_1024 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr . th sport mod 1024 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_2 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 2 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_4 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 4 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_8 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 8 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_16 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 16 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_64 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 64 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_256 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 256 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_1024 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip saddr mod 1024 seed 0x5eed offset 0x4d530000
        dnat ip addr . port to ip daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain clear_prerouting {
        type filter hook prerouting priority dstnat + 10; policy accept;
        meta mark & 0xfffff800 == 0x4d530000 meta mark set 0
      }
      chain untranslated {
        meta l4proto icmp accept
        tcp flags & (fin | syn | rst | ack) == syn counter reject with tcp reset
        counter drop
      }
      chain untranslated_source {
        meta l4proto icmp accept
        counter drop
      }
      chain input {
        type filter hook input priority filter; policy accept;
        ip daddr @addresses goto untranslated
        ip daddr @sources goto untranslated_source
        iifname { "ext0", "int0" } ip daddr != @own fib daddr type local goto untranslated
      }
      chain forward {
        type filter hook forward priority filter; policy accept;
        ct status dnat goto count
        ip daddr @addresses counter drop
        ip daddr @sources counter drop
      }
      chain count {
        meta l4proto { tcp, udp, sctp } ct direction original ct original ip daddr . meta l4proto . ct original proto-dst @received accept
        meta l4proto { tcp, udp, sctp } ct direction reply ct original ip daddr . meta l4proto . ct original proto-dst @sent accept
      }
      chain source {
        type nat hook postrouting priority srcnat; policy accept;
        ct status dnat ct original ip daddr @addresses goto choose_source
        iifname "int0" oifname "ext0" snat ip addr . port to ip saddr . meta l4proto . th sport map @returns_as
      }
      chain choose_source {
        iifname != "int0" meta l4proto { tcp, udp, sctp } ct original ip daddr . meta l4proto . ct original proto-dst @keeps_client ct original ip daddr . meta l4proto . ct original proto-dst . ip saddr != @hairpin accept
        meta mark set jhash ip saddr . th sport mod 4 seed 0x51ab offset 0x4d530400
        snat ip to ct original ip daddr . meta mark map @source_of
      }
      chain clear_postrouting {
        type filter hook postrouting priority srcnat + 10; policy accept;
        meta mark & 0xfffff800 == 0x4d530000 meta mark set 0
      }
    }
    add element ip mainstay addresses {
      198.18.0.100,
      198.18.0.101
    }
    add element ip mainstay sources {
      198.19.0.101,
      198.19.0.102
    }
    add element ip mainstay source_of {
      198.18.0.100 . 0x4d530400 : 198.19.0.101,
      198.18.0.100 . 0x4d530401 : 198.19.0.102,
      198.18.0.100 . 0x4d530402 : 198.19.0.101,
      198.18.0.100 . 0x4d530403 : 198.19.0.102,
      198.18.0.101 . 0x4d530400 : 198.19.0.102,
      198.18.0.101 . 0x4d530401 : 198.19.0.101,
      198.18.0.101 . 0x4d530402 : 198.19.0.102,
      198.18.0.101 . 0x4d530403 : 198.19.0.101
    }
    add element ip mainstay restricted {
      198.18.0.100 . tcp . 80
    }
    add element ip mainstay allowed {
      198.18.0.100 . tcp . 80 . 10.0.0.0/8
    }
    add element ip mainstay empty {
      198.18.0.100 . udp . 53 : goto refuse
    }
    add element ip mainstay forwardings {
      198.18.0.100 . tcp . 80 : goto by_client_4
    }
    add element ip mainstay endpoints {
      198.18.0.100 . tcp . 80 . 0x4d530000 : 198.19.0.21 . 8080,
      198.18.0.100 . tcp . 80 . 0x4d530001 : 198.19.0.22 . 8080,
      198.18.0.100 . tcp . 80 . 0x4d530002 : 198.19.0.21 . 8080,
      198.18.0.100 . tcp . 80 . 0x4d530003 : 198.19.0.22 . 8080
    }
    add element ip mainstay received {
      198.18.0.100 . tcp . 80,
      198.18.0.100 . udp . 53
    }
    add element ip mainstay sent {
      198.18.0.100 . tcp . 80,
      198.18.0.100 . udp . 53
    }
    table ip6 mainstay
    delete table ip6 mainstay
    table ip6 mainstay {
      set addresses {
        type ipv6_addr
      }
      set sources {
        type ipv6_addr
      }
      map source_of {
        type ipv6_addr . mark : ipv6_addr
      }
      set restricted {
        type ipv6_addr . inet_proto . inet_service
      }
      set allowed {
        type ipv6_addr . inet_proto . inet_service . ipv6_addr
        flags interval
      }
      map empty {
        type ipv6_addr . inet_proto . inet_service : verdict
      }
      map forwardings {
        type ipv6_addr . inet_proto . inet_service : verdict
        counter
      }
      map endpoint {
        type ipv6_addr . inet_proto . inet_service : ipv6_addr . inet_service
      }
      map endpoints {
        type ipv6_addr . inet_proto . inet_service . mark : ipv6_addr . inet_service
      }
      set keeps_client {
        type ipv6_addr . inet_proto . inet_service
      }
      set hairpin {
        type ipv6_addr . inet_proto . inet_service . ipv6_addr
      }
      set returning {
        type ipv6_addr . inet_proto . inet_service
      }
      map returns_as {
        type ipv6_addr . inet_proto . inet_service : ipv6_addr . inet_service
      }
      set received {
        type ipv6_addr . inet_proto . inet_service
        counter
      }
      set sent {
        type ipv6_addr . inet_proto . inet_service
        counter
      }
      set own {
        type ipv6_addr
        elements = { fd00:e::2, fd00:c::2 }
      }
      chain admit {
        type filter hook prerouting priority dstnat - 10; policy accept;
        ct state != new accept
        ip6 daddr . meta l4proto . th dport @restricted ip6 daddr . meta l4proto . th dport . ip6 saddr != @allowed counter drop
        ip6 daddr . meta l4proto . th dport vmap @empty
      }
      chain refuse {
        meta l4proto tcp counter reject with tcp reset
        counter reject with icmpv6 port-unreachable
      }
      chain translate {
        type nat hook prerouting priority dstnat; policy accept;
        ip6 daddr . meta l4proto . th dport vmap @forwardings
        iifname "int0" ip6 saddr . meta l4proto . th sport @returning ct mark set ct mark & 0xfffffffe | 0x1
      }
      chain single {
        ct mark set ct mark & 0xfffffffe | 0x1
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport map @endpoint
      }
      chain by_connection_2 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 2 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_4 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 4 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_8 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 8 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_16 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 16 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_64 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 64 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_256 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 256 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_connection_1024 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr . th sport mod 1024 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_2 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 2 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_4 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 4 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_8 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 8 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_16 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 16 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_64 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 64 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_256 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 256 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain by_client_1024 {
        ct mark set ct mark & 0xfffffffe | 0x1
        meta mark set jhash ip6 saddr mod 1024 seed 0x5eed offset 0x4d530000
        dnat ip6 addr . port to ip6 daddr . meta l4proto . th dport . meta mark map @endpoints
      }
      chain clear_prerouting {
        type filter hook prerouting priority dstnat + 10; policy accept;
        meta mark & 0xfffff800 == 0x4d530000 meta mark set 0
      }
      chain untranslated {
        meta l4proto ipv6-icmp accept
        tcp flags & (fin | syn | rst | ack) == syn counter reject with tcp reset
        counter drop
      }
      chain untranslated_source {
        meta l4proto ipv6-icmp accept
        counter drop
      }
      chain input {
        type filter hook input priority filter; policy accept;
        ip6 daddr @addresses goto untranslated
        ip6 daddr @sources goto untranslated_source
        iifname { "ext0", "int0" } ip6 daddr != fe80::/10 ip6 daddr != @own fib daddr type local goto untranslated
      }
      chain forward {
        type filter hook forward priority filter; policy accept;
        ct status dnat goto count
        ip6 daddr @addresses counter drop
        ip6 daddr @sources counter drop
      }
      chain count {
        meta l4proto { tcp, udp, sctp } ct direction original ct original ip6 daddr . meta l4proto . ct original proto-dst @received accept
        meta l4proto { tcp, udp, sctp } ct direction reply ct original ip6 daddr . meta l4proto . ct original proto-dst @sent accept
      }
      chain source {
        type nat hook postrouting priority srcnat; policy accept;
        ct status dnat ct original ip6 daddr @addresses goto choose_source
        iifname "int0" oifname "ext0" snat ip6 addr . port to ip6 saddr . meta l4proto . th sport map @returns_as
      }
      chain choose_source {
        iifname != "int0" meta l4proto { tcp, udp, sctp } ct original ip6 daddr . meta l4proto . ct original proto-dst @keeps_client ct original ip6 daddr . meta l4proto . ct original proto-dst . ip6 saddr != @hairpin accept
        meta mark set jhash ip6 saddr . th sport mod 4 seed 0x51ab offset 0x4d530400
        snat ip6 to ct original ip6 daddr . meta mark map @source_of
      }
      chain clear_postrouting {
        type filter hook postrouting priority srcnat + 10; policy accept;
        meta mark & 0xfffff800 == 0x4d530000 meta mark set 0
      }
    }
    add element ip6 mainstay addresses {
      fd00:e::100,
      fd00:e::101
    }
    add element ip6 mainstay sources {
      fd00:c::101,
      fd00:c::102
    }
    add element ip6 mainstay source_of {
      fd00:e::100 . 0x4d530400 : fd00:c::101,
      fd00:e::100 . 0x4d530401 : fd00:c::102,
      fd00:e::100 . 0x4d530402 : fd00:c::101,
      fd00:e::100 . 0x4d530403 : fd00:c::102,
      fd00:e::101 . 0x4d530400 : fd00:c::102,
      fd00:e::101 . 0x4d530401 : fd00:c::101,
      fd00:e::101 . 0x4d530402 : fd00:c::102,
      fd00:e::101 . 0x4d530403 : fd00:c::101
    }
    add element ip6 mainstay forwardings {
      fd00:e::100 . tcp . 80 : goto single
    }
    add element ip6 mainstay endpoint {
      fd00:e::100 . tcp . 80 : fd00:c::21 . 8080
    }
    add element ip6 mainstay keeps_client {
      fd00:e::100 . tcp . 80
    }
    add element ip6 mainstay hairpin {
      fd00:e::100 . tcp . 80 . fd00:c::21
    }
    add element ip6 mainstay returning {
      fd00:c::21 . tcp . 8080
    }
    add element ip6 mainstay returns_as {
      fd00:c::21 . tcp . 8080 : fd00:e::100 . 80
    }
    add element ip6 mainstay received {
      fd00:e::100 . tcp . 80
    }
    add element ip6 mainstay sent {
      fd00:e::100 . tcp . 80
    }
    "
  `);
});

test("an endpoint that is replaced is the elements of its buckets, deleted and added", () => {
  const endpoints = [...four.endpoints.slice(0, 1), { address: "198.19.0.29", port: 8080 }];
  const after = { ...document, forwardings: [{ ...four, endpoints }, six, empty] };
  expect(renderChange(document, after)).toMatchInlineSnapshot(`
    "delete element ip mainstay endpoints {
      198.18.0.100 . tcp . 80 . 0x4d530001,
      198.18.0.100 . tcp . 80 . 0x4d530003
    }
    add element ip mainstay endpoints {
      198.18.0.100 . tcp . 80 . 0x4d530001 : 198.19.0.29 . 8080,
      198.18.0.100 . tcp . 80 . 0x4d530003 : 198.19.0.29 . 8080
    }
    "
  `);
});

test("a Service that gets its first endpoint is no longer refused", () => {
  const served = { ...empty, endpoints: [{ address: "198.19.0.21", port: 5353 }], buckets: [0] };
  expect(renderChange(document, { ...document, forwardings: [four, six, served] })).toMatchInlineSnapshot(`
    "delete element ip mainstay empty {
      198.18.0.100 . udp . 53
    }
    add element ip mainstay forwardings {
      198.18.0.100 . udp . 53 : goto single
    }
    add element ip mainstay endpoint {
      198.18.0.100 . udp . 53 : 198.19.0.21 . 5353
    }
    "
  `);
});

test("the removal of everything is this", () => {
  expect(renderRemoval()).toMatchInlineSnapshot(`
    "table ip mainstay
    delete table ip mainstay
    table ip6 mainstay
    delete table ip6 mainstay
    "
  `);
});
