// The flag of commands that ask agents: it reads the Secrets that pools name, and needs a way to the gateways.

import { Option } from "commander";

export function agentsOption(what: string): Option {
  return new Option(
    "--agents",
    `${what}; needs the right to read the Secrets that pools name, and a way to the gateways`,
  );
}
