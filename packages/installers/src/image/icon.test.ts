import { describe, expect, test } from "vitest";
import { makeIcon } from "../../testing/make-icon";
import { MAX_ICON_BYTES } from "../limits";
import { readIcon } from "./icon";

const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
const webp = (chunk: string, body: string) =>
  hex(`52494646 40000000 57454250 ${Buffer.from(chunk).toString("hex")} 20000000 ${body} ${"00".repeat(24)}`);

describe("an icon", () => {
  test("may be a standard PNG, or one of Apple's variant, which is converted", async () => {
    const ordinary = makeIcon({ size: 24 });
    expect(await readIcon(ordinary)).toEqual({ contentType: "image/png", width: 24, height: 24, bytes: ordinary });
    const icon = await readIcon(makeIcon({ size: 24, cgbi: true }));
    expect(icon).toMatchObject({ contentType: "image/png", width: 24, height: 24 });
    expect(Buffer.from(icon?.bytes ?? []).includes("CgBI")).toBe(false);
  });

  test("may be a JPEG, with the size in its frame header", async () => {
    const jpeg = hex("ffd8 ffe0 0010 4a46494600010100000100010000 ff ffc2 0011 08 0200 0300 03011100021100031100 ffd9");
    expect(await readIcon(jpeg)).toEqual({ contentType: "image/jpeg", width: 768, height: 512, bytes: jpeg });
  });

  test.each([
    ["lossy", webp("VP8 ", "0000009d012a 90016000")],
    ["lossless", webp("VP8L", "2f 8fc11700")],
    ["extended", webp("VP8X", "00000000 8f0100 5f0000")],
  ])("may be a %s WebP, with the size in its first chunk", async (_, bytes) => {
    expect(await readIcon(bytes)).toEqual({ contentType: "image/webp", width: 400, height: 96, bytes });
  });

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["a text", new Uint8Array(Buffer.from("<svg onload=alert(1)>"))],
    ["a JPEG without a frame", hex("ffd8 ffe0 0010 4a46494600010100000100010000 ffd9")],
    ["a JPEG of no height", hex("ffd8 ffc0 0011 08 0000 0300 03011100021100031100")],
    ["a JPEG that is too wide", hex("ffd8 ffc0 0011 08 0200 1001 03011100021100031100")],
    ["a WebP of an unknown kind", webp("ANIM", "00")],
    ["a PNG that is cut off", makeIcon({ size: 24 }).subarray(0, 100)],
    ["more bytes than allowed", new Uint8Array(MAX_ICON_BYTES + 1)],
  ])("is never %s", async (_, bytes) => {
    expect(await readIcon(bytes)).toBeNull();
  });
});
