import { describe, expect, test } from "vitest";
import { parseAgentConfiguration } from "./agent-configuration.ts";
import { readLbaasConfiguration } from "./lbaas-agent-configuration.ts";

const least = "name: gw1\nexternalInterface: ext0\ninternalInterface: int0\naccess:\n  secretFile: /etc/mainstay/key\n";

describe("the agent's configuration", () => {
  test("needs little, and has defaults for the rest", () => {
    const checked = parseAgentConfiguration(least, "agent.yaml");
    expect(checked).toMatchObject({
      ok: true,
      configuration: {
        listen: { bind: "127.0.0.1", port: 15_203 },
        v1: { enabled: false },
        connectionMark: { bits: 1, mask: 1 },
      },
    });
  });

  test.each([
    ["nobody could use it", least.replace(/access:\n.*\n/, ""), "nobody could use this agent"],
    ["a certificate without its key", `${least}listen:\n  certificateFile: /a\n`, "belong together"],
    ["an unknown field", `${least}colour: blue\n`, "colour"],
    ["bits outside of the mask", `${least}connectionMark: { bits: 3, mask: 1 }\n`, "bits must lie within the mask"],
    [
      "an interface that would be two words",
      least.replace("ext0", '"ext0 {"'),
      "externalInterface: must be the name of an interface",
    ],
    ["no YAML", "a: b: c", "agent.yaml"],
  ])("is refused with words: %s", (_, text, words) => {
    const checked = parseAgentConfiguration(text, "agent.yaml");
    expect(checked).toMatchObject({ ok: false });
    expect(JSON.stringify(checked)).toContain(words);
  });
});

describe("the configuration of ch-k8s-lbaas' agent", () => {
  const reference = {
    "shared-secret": "c2VjcmV0LW9mLWJvdGg=",
    "bind-address": "0.0.0.0",
    "bind-port": 15_203,
    keepalived: {
      interface: "ens3",
      priority: 150,
      "virtual-router-id-base": 10,
      "vrrp-password": "useless",
      service: { "config-file": "/x" },
    },
    nftables: { "fwmark-bits": 1, "fwmark-mask": 1, service: { "config-file": "/y" } },
    unknown: true,
  };

  test("is read as ours, with the reference's defaults", () => {
    expect(readLbaasConfiguration(reference, "gw1", "agent-config.toml")).toMatchObject({
      ok: true,
      secret: "c2VjcmV0LW9mLWJvdGg=",
      configuration: {
        name: "gw1",
        externalInterface: "ens3",
        internalInterface: "ens3",
        listen: { bind: "0.0.0.0", port: 15_203 },
        acceptIn: { family: "inet", table: "filter", chain: "forward" },
        v1: { enabled: true, virtualRouterId: 10, priority: 150, announces: true, hidesClients: true },
      },
      notes: [expect.stringContaining("keepalived.service"), expect.stringContaining("nftables.service")],
    });
  });

  test("a priority of 0 is the 100 that keepalived makes of it, and an empty filter table means none", () => {
    const told = {
      ...reference,
      keepalived: { ...reference.keepalived, priority: 0 },
      nftables: { "filter-table-name": "" },
    };
    const read = readLbaasConfiguration(told, "gw1", "f");
    expect(read).toMatchObject({ ok: true, configuration: { v1: { priority: 100 } } });
    expect(read.ok && read.configuration.acceptIn).toBeUndefined();
  });

  test("what is wrong is named, and the secret is not", () => {
    const told = { ...reference, "shared-secret": "not base64 at all", "bind-port": 0, keepalived: {} };
    const read = readLbaasConfiguration(told, "gw1", "f");
    expect(read).toMatchObject({ ok: false });
    expect(JSON.stringify(read)).toContain("bind-port");
    expect(JSON.stringify(read)).not.toContain("not base64");
  });

  test("without an interface it says so", () => {
    const { interface: _none, ...keepalived } = reference.keepalived;
    expect(readLbaasConfiguration({ ...reference, keepalived }, "gw1", "f")).toMatchObject({
      ok: false,
      problems: [expect.stringContaining("externalInterface"), expect.stringContaining("internalInterface")],
    });
  });
});
