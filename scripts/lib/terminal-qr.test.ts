import { create } from "qrcode";
import { expect, it } from "vitest";
import { BLACK_ON_WHITE, RESET, terminalQr } from "./terminal-qr.mjs";

it("draws the modules of a QR code as half blocks, black on white, with a quiet zone", () => {
  const text = "http://192.168.1.20:3000/trust";
  const lines = terminalQr(text)
    .split("\n")
    .map((line) => line.replace(`  ${BLACK_ON_WHITE}`, "").replace(RESET, ""));
  const rows = lines.flatMap((line) =>
    [/[▀█]/, /[▄█]/].map((dark) => Array.from(line, (block) => (dark.test(block) ? 1 : 0))),
  );
  const { size, data } = create(text, { errorCorrectionLevel: "L" }).modules;
  const modules = rows.slice(2, 2 + size).map((row) => row.slice(2, 2 + size));
  expect(modules.flat()).toEqual([...data]);
  expect(
    rows
      .slice(0, 2)
      .flat()
      .concat(rows.slice(2 + size).flat()),
  ).not.toContain(1);
  expect(lines.every((line) => line.startsWith("  ") && line.endsWith("  "))).toBe(true);
});
