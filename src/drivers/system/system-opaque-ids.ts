// Opaque ids by Node's cryptography: HMAC-SHA-256 for hashes, AES-256-GCM for encrypted numbers. The keys live in this closure alone.

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { OpaqueIds } from "../../ports/opaque-ids.ts";

const nonceBytes = 12;
const tagBytes = 16;
const numberBytes = 8;
/** 128 bits: nobody finds two texts with the same hash by trying. */
const hashBytes = 16;

export function systemOpaqueIds(): OpaqueIds {
  const hashKey = randomBytes(32);
  const cipherKey = randomBytes(32);
  return {
    hash: (text) => createHmac("sha256", hashKey).update(text).digest().subarray(0, hashBytes).toString("base64url"),
    encrypt(number) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", cipherKey, nonce, { authTagLength: tagBytes });
      const plain = Buffer.alloc(numberBytes);
      plain.writeDoubleBE(number);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    decrypt(id) {
      const bytes = Buffer.from(id, "base64url");
      if (bytes.length !== nonceBytes + numberBytes + tagBytes) return undefined;
      const nonce = bytes.subarray(0, nonceBytes);
      const decipher = createDecipheriv("aes-256-gcm", cipherKey, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).readDoubleBE();
      } catch {
        return undefined;
      }
    },
  };
}
