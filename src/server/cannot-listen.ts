// The error for an address that cannot be listened on. It names the settings, since that is where it can be corrected.

import { MainstayError } from "../core/errors.ts";

/** `section`: the part of the configuration that names the address, such as `health`. */
export function cannotListen(section: string, { bind, port }: { bind: string; port: number }, cause: unknown) {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
  return new MainstayError({
    reason: "ConfigurationInvalid",
    message: `${section}: cannot listen on ${bind}:${port}: ${code}`,
    hint: `Choose another address or port with ${section}.bind and ${section}.port, or stop what listens there.`,
    cause,
  });
}
