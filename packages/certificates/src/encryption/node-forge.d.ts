/** The ciphers that Web Crypto lacks. node-forge has no types of its own. */

interface ForgeBuffer {
  getBytes(): string;
}

interface ForgeDecipher {
  update(input: ForgeBuffer): void;
  /** @param unpad replaces the check of the padding */
  finish(unpad: () => boolean): boolean;
  output: ForgeBuffer;
}

declare module "node-forge/lib/aes" {}

declare module "node-forge/lib/des" {}

declare module "node-forge/lib/cipher" {
  const cipher: {
    createDecipher(
      algorithm: "AES-CBC" | "3DES-CBC" | "DES-CBC",
      key: string,
    ): ForgeDecipher & { start(options: { iv: string }): void };
  };
  export default cipher;
}

declare module "node-forge/lib/rc2" {
  const rc2: {
    createDecryptionCipher(key: string, effectiveBits: number): ForgeDecipher & { start(iv: string): void };
  };
  export default rc2;
}

declare module "node-forge/lib/util" {
  const util: { createBuffer(binary: string): ForgeBuffer };
  export default util;
}
