import qrcode from "qrcode";

/** The quiet zone in modules. ISO/IEC 18004 requires four; phones read less, and terminals are narrow. */
const QUIET_ZONE = 2;

/** ECMA-48, SGR. */
export const BLACK_ON_WHITE = "\u001b[30;107m";
export const RESET = "\u001b[0m";

/**
 * @param {string} text
 * @returns {string} a QR code of half blocks, two rows of modules in a line, dark on white in any colour scheme
 */
export function terminalQr(text) {
  const { size, data } = qrcode.create(text, { errorCorrectionLevel: "L" }).modules;
  const isDark = (/** @type {number} */ x, /** @type {number} */ y) =>
    x >= 0 && y >= 0 && x < size && y < size && data[y * size + x] === 1;
  const lines = [];
  for (let y = -QUIET_ZONE; y < size + QUIET_ZONE; y += 2) {
    let line = "";
    for (let x = -QUIET_ZONE; x < size + QUIET_ZONE; x++) {
      line += [" ", "▄", "▀", "█"][(isDark(x, y) ? 2 : 0) + (isDark(x, y + 1) ? 1 : 0)];
    }
    lines.push(`  ${BLACK_ON_WHITE}${line}${RESET}`);
  }
  return lines.join("\n");
}
