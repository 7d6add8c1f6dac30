/**
 * Puts text on the clipboard, also on a page without a secure context, where browsers offer only the old way.
 *
 * @throws Error when the browser refuses
 */
export async function writeClipboardText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Inside an open dialog focus cannot leave it, so the helper goes next to what has the focus.
  const host = document.activeElement?.closest("[role=dialog]") ?? document.body;
  const helper = document.createElement("textarea");
  const focused = document.activeElement;
  helper.value = text;
  helper.readOnly = true;
  helper.className = "sr-only";
  host.append(helper);
  helper.select();
  const copied = document.execCommand("copy");
  helper.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error("the browser refused to copy");
}
