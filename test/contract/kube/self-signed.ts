// A certificate for 127.0.0.1 that signs itself, made without tools: for webhooks that the API server calls over TLS.

import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface SelfSigned {
  /** PEM. The certificate is its own authority. */
  readonly certificate: string;
  readonly key: string;
}

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));

export function selfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const body = certificateBody(publicKey);
  const signature = sign("sha256", body, privateKey);
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.of(0), signature));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** X.509 v3 with the subject alternative name 127.0.0.1, valid from yesterday for a year. */
function certificateBody(publicKey: KeyObject): Buffer {
  const dayMs = 86_400_000;
  const name = sequence(tagged(0x31, sequence(oid("2.5.4.3"), tagged(0x0c, Buffer.from("mainstay test webhook")))));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const serial = Buffer.concat([Buffer.of(1), createHash("sha256").update(spki).digest().subarray(0, 15)]);
  const extensions = sequence(
    extension("2.5.29.19", sequence(tagged(0x01, Buffer.of(0xff))), true),
    extension("2.5.29.17", sequence(tagged(0x87, Buffer.of(127, 0, 0, 1)))),
  );
  return sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(utcTime(Date.now() - dayMs), utcTime(Date.now() + 365 * dayMs)),
    name,
    spki,
    tagged(0xa3, extensions),
  );
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [tagged(0x01, Buffer.of(0xff))] : []), tagged(0x04, value));
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
