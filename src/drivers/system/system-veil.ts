// A veil of the machine's cryptography: HMAC-SHA-256 for marks, AES-256-GCM for seals. The keys live in this closure alone.

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { Veil } from "../../ports/veil.ts";

const nonceBytes = 12;
const tagBytes = 16;
const numberBytes = 8;
/** 128 bits: two texts with one mark are not found by trying. */
const markBytes = 16;

export function systemVeil(): Veil {
  const markKey = randomBytes(32);
  const sealKey = randomBytes(32);
  return {
    mark: (text) => createHmac("sha256", markKey).update(text).digest().subarray(0, markBytes).toString("base64url"),
    seal(number) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce, { authTagLength: tagBytes });
      const plain = Buffer.alloc(numberBytes);
      plain.writeDoubleBE(number);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    open(seal) {
      const bytes = Buffer.from(seal, "base64url");
      if (bytes.length !== nonceBytes + numberBytes + tagBytes) return undefined;
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv("aes-256-gcm", sealKey, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).readDoubleBE();
      } catch {
        return undefined;
      }
    },
  };
}
