// A tunnel through a SOCKS5 proxy (RFC 1928), with a user name and password (RFC 1929) when the address has them.
// Names are resolved by the proxy, as kubectl does it.

import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { ProxyError } from "./proxy-error.ts";

const replies: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "not allowed by its rules",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "address type not supported",
};

export async function openSocksTunnel(
  proxy: URL,
  target: { readonly host: string; readonly port: number },
  timeoutMs: number,
): Promise<Socket> {
  const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ""), port: Number(proxy.port) || 1080 });
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, "connect", { signal });
    await authenticate(socket, proxy, signal);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressBytes(target.host), portBytes(target.port)]));
    const [, code = 1, , type] = await take(socket, 4, signal);
    if (code !== 0) throw new Error(replies[code] ?? `reply ${code}`);
    const length = type === 1 ? 4 : type === 4 ? 16 : ((await take(socket, 1, signal))[0] ?? 0);
    await take(socket, length + 2, signal);
    return socket;
  } catch (cause) {
    socket.destroy();
    throw new ProxyError(proxy.host, "did not open a tunnel", signal.aborted ? new Error("no answer in time") : cause);
  }
}

async function authenticate(socket: Socket, proxy: URL, signal: AbortSignal): Promise<void> {
  const username = Buffer.from(decodeURIComponent(proxy.username));
  const password = Buffer.from(decodeURIComponent(proxy.password));
  const withPassword = username.length > 0;
  socket.write(Buffer.from(withPassword ? [5, 2, 0, 2] : [5, 1, 0]));
  const [version, method] = await take(socket, 2, signal);
  if (version !== 5) throw new Error("it does not speak SOCKS5");
  if (method === 0) return;
  if (method !== 2 || !withPassword) throw new Error("it requires an authentication method that is not supported");
  const lengths = [Buffer.from([1, username.length]), username, Buffer.from([password.length]), password];
  socket.write(Buffer.concat(lengths));
  const [, status] = await take(socket, 2, signal);
  if (status !== 0) throw new Error("it does not accept the user name and password");
}

/** Exactly this many bytes; what comes after them belongs to the tunnel. */
async function take(socket: Socket, count: number, signal: AbortSignal): Promise<Buffer> {
  while (true) {
    const bytes: unknown = socket.read(count);
    if (Buffer.isBuffer(bytes) && bytes.length === count) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error("it closed the connection");
    await Promise.race([once(socket, "readable", { signal }), once(socket, "close", { signal })]);
  }
}

function addressBytes(host: string): Buffer {
  const family = isIP(host);
  if (family !== 0) return Buffer.from([family === 4 ? 1 : 4, ...ipaddr.parse(host).toByteArray()]);
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([3, name.length]), name]);
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 0xff]);
}
