import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleDocument, sampleGroup, sampleLocal } from "../../sim/sample-document.ts";
import { basePriority, readyBonus } from "./priorities.ts";
import { localProblems, renderKeepalived } from "./render-keepalived.ts";

const settings = { readyFile: "/run/mainstay/ready" };
const local = sampleLocal();

const twoGroups = sampleDocument({
  groups: [
    sampleGroup(),
    sampleGroup({
      name: "b",
      virtualRouterId: 52,
      order: ["gw2", "gw3", "gw1"],
      sourceAddresses: ["fd00:c::2", "198.19.0.201"],
    }),
  ],
  addresses: [
    { address: "198.18.0.100", group: "a" },
    { address: "FD00:E::A00", group: "a" },
    { address: "198.18.0.110", group: "b" },
  ],
});

describe("the configuration of a gateway", () => {
  test("has one instance a group, one advertised address in each, and everything else beside the adverts", () => {
    expect(renderKeepalived(twoGroups, local, settings)).toMatchInlineSnapshot(`
      "global_defs {
        router_id gw1
        vrrp_version 3
        vrrp_garp_master_repeat 3
        vrrp_garp_master_delay 1
        vrrp_garp_master_refresh 10
      }
      track_file ready {
        file /run/mainstay/ready
        weight 1
      }
      vrrp_instance a {
        state BACKUP
        interface ext0
        virtual_router_id 51
        priority 100
        advert_int 0.1
        track_file {
          ready
        }
        track_interface {
          int0
        }
        virtual_ipaddress {
          198.19.0.101/32 dev int0
        }
        virtual_ipaddress_excluded {
          198.18.0.100/32 dev ext0
          fd00:e::a00/128 dev ext0
          198.19.0.102/32 dev int0
          fd00:c::101/128 dev int0
        }
      }
      vrrp_instance b {
        state BACKUP
        interface ext0
        virtual_router_id 52
        priority 60
        advert_int 0.1
        track_file {
          ready
        }
        track_interface {
          int0
        }
        virtual_ipaddress {
          198.19.0.201/32 dev int0
        }
        virtual_ipaddress_excluded {
          198.18.0.110/32 dev ext0
          fd00:c::2/128 dev int0
        }
      }
      "
    `);
  });

  test("speaks to the peers it is told of, and to the whole network where there are none", () => {
    const unicast = { gw1: "192.0.2.1", gw2: "192.0.2.2", gw3: "192.0.2.3", other: "192.0.2.9" };
    const told = { ...twoGroups, vrrp: { ...twoGroups.vrrp, unicast } };
    const text = renderKeepalived(told, sampleLocal({ name: "gw2" }), settings);
    expect(instancesIn(text).get("a")).toContain(
      ["unicast_src_ip 192.0.2.2", "unicast_peer {", "192.0.2.1", "192.0.2.3", "}"].join("\n"),
    );
    expect(text).not.toContain("192.0.2.9");
    expect(renderKeepalived(twoGroups, local, settings)).not.toContain("unicast");
  });

  test("has no instance for a group that the gateway is not in, nor for one without an address of IPv4 to advertise", () => {
    const groups = [
      sampleGroup({ name: "elsewhere", order: ["gw2"] }),
      sampleGroup({ name: "six", sourceAddresses: ["fd00:c::101"] }),
    ];
    expect([...instancesIn(renderKeepalived(sampleDocument({ groups }), local, settings)).keys()]).toEqual([]);
  });

  test("advertises what it did before, whichever addresses come and go", () => {
    const before = renderKeepalived(twoGroups, local, settings);
    const after = renderKeepalived({ ...twoGroups, addresses: [] }, local, settings);
    for (const name of ["a", "b"]) expect(advertisedIn(after, name)).toEqual(advertisedIn(before, name));
  });

  test("names intervals that an advert can carry", () => {
    const interval = (advertIntervalMs: number) =>
      /advert_int (\S+)/.exec(
        renderKeepalived({ ...twoGroups, vrrp: { ...twoGroups.vrrp, advertIntervalMs } }, local, settings),
      )?.[1];
    expect([50, 100, 1_000, 0, Number.NaN, 1e9].map(interval)).toEqual(["0.05", "0.1", "1", "0.01", "0.01", "40.95"]);
  });
});

describe("beside a gateway that runs ch-k8s-lbaas", () => {
  const compat = { ...twoGroups, vrrp: { ...twoGroups.vrrp, mode: "compat" as const } };

  test("the adverts are those of the reference: version 2, a second, a password of eight characters, every address of a Service", () => {
    const text = renderKeepalived(compat, local, {
      ...settings,
      compat: { password: "a-long-password", priority: 120 },
    });
    expect(instancesIn(text).get("a")).toMatchInlineSnapshot(`
      "state BACKUP
      interface ext0
      virtual_router_id 51
      priority 120
      advert_int 1
      authentication {
      auth_type PASS
      auth_pass a-long-p
      }
      track_interface {
      int0
      }
      virtual_ipaddress {
      198.18.0.100/32 dev ext0
      }
      virtual_ipaddress_excluded {
      fd00:e::a00/128 dev ext0
      198.19.0.101/32 dev int0
      198.19.0.102/32 dev int0
      fd00:c::101/128 dev int0
      }"
    `);
    expect(text).toContain("vrrp_version 2");
  });

  test("a priority that is set is the one that adverts carry, and without one the order counts and so does readiness", () => {
    const set = renderKeepalived(compat, local, { ...settings, compat: { password: "useless", priority: 0 } });
    expect(set).toContain("priority 100");
    expect(instancesIn(set).get("a")).not.toContain("track_file");
    expect(instancesIn(renderKeepalived(compat, local, settings)).get("a")).toContain("track_file");
  });
});

describe("priorities", () => {
  test("fall with the place, fit into an advert when ready, and a ready gateway comes before any that is not", () => {
    const ten = Array.from({ length: 10 }, (_, place) => basePriority(place));
    expect(ten).toEqual(ten.toSorted((a, b) => b - a));
    expect(new Set(ten).size).toBe(10);
    expect(Math.max(...ten) + readyBonus).toBeLessThanOrEqual(254);
    expect(basePriority(200) + readyBonus).toBeGreaterThan(Math.max(...ten));
  });
});

describe("whatever it is given", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "a\n}\nvrrp_instance x {",
      "198.18.0.1\n}",
      "!x",
      "#x",
      "${X}",
      "~SEQ",
      "@gw x",
      "include /etc/shadow",
      "a b",
      '"',
      "constructor",
    ),
    fc.ipV4(),
    fc.ipV6(),
  );
  const document = fc.record({
    vrrp: fc.record({
      mode: fc.constantFrom("vrrp3" as const, "compat" as const),
      advertIntervalMs: fc.oneof(fc.double(), fc.integer()),
      unicast: fc.dictionary(nasty, nasty),
    }),
    groups: fc.array(
      fc.record({
        name: fc.oneof(nasty, fc.constant("a")),
        virtualRouterId: fc.oneof(fc.integer(), fc.double(), fc.constant(51)),
        order: fc.array(fc.oneof(nasty, fc.constant("gw1"))),
        sourceAddresses: fc.array(nasty),
      }),
    ),
    addresses: fc.array(fc.record({ address: nasty, group: fc.oneof(nasty, fc.constant("a")) })),
  });

  test("every line is one of the statements that it writes, with words of one kind, and braces are balanced", () => {
    fc.assert(
      fc.property(document, (told) => {
        const text = renderKeepalived(told, local, settings);
        const lines = text
          .trimEnd()
          .split("\n")
          .map((line) => line.trim());
        expect(lines.filter((line) => !statements.some((statement) => statement.test(line)))).toEqual([]);
        expect(lines.filter((line) => line.endsWith("{")).length).toBe(lines.filter((line) => line === "}").length);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
        expect(text).toMatch(/^[\x20-\x7e\n]*$/);
      }),
    );
  });

  test("what the gateway knows of itself is refused in words that do not repeat it", () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (name, path, password) => {
        const asked = { readyFile: path, compat: { password } };
        const gateway = sampleLocal({ name });
        const isRefused = localProblems(gateway, asked).length > 0;
        expect(linesOrRefusal(() => renderKeepalived(sampleDocument(), gateway, asked))).toBe(
          isRefused ? "refused" : linesOrRefusal(() => renderKeepalived(sampleDocument(), local, settings)),
        );
      }),
    );
  });
});

/** How many lines, which is how many statements. */
function linesOrRefusal(render: () => string): number | "refused" {
  try {
    return render().split("\n").length;
  } catch {
    return "refused";
  }
}

const word = "[A-Za-z0-9_.,:;=+*/%&()<>?^|-]+";
const statements = [
  /^}$/,
  /^(global_defs|track_file ready|track_file|track_interface|authentication|unicast_peer|virtual_ipaddress(_excluded)?) \{$/,
  new RegExp(`^vrrp_instance ${word} \\{$`),
  /^(vrrp_version|vrrp_garp_master_(repeat|delay|refresh)|weight|virtual_router_id|priority) \d+$/,
  /^advert_int [0-9.]+$/,
  new RegExp(`^(router_id|file|interface|unicast_src_ip|auth_pass) ${word}$`),
  /^(state BACKUP|auth_type PASS|ready|int0)$/,
  /^[0-9a-f.:]+(\/\d+ dev (ext0|int0))?$/,
];

function instancesIn(text: string): ReadonlyMap<string, string> {
  const parts = text.split("vrrp_instance ").slice(1);
  const plain = (part: string) =>
    part
      .split("\n")
      .map((line) => line.trim())
      .slice(1, -2)
      .join("\n");
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(" ")), plain(part)]));
}

function advertisedIn(text: string, name: string): string | undefined {
  return /virtual_ipaddress \{\n([^}]*)\}/.exec(instancesIn(text).get(name) ?? "")?.[1];
}
