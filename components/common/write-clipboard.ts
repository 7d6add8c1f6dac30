/**
 * Copies text to the clipboard. Pages without a secure context use the deprecated `execCommand`, the only method there.
 *
 * @throws Error when the browser refuses
 */
export async function writeClipboardText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // The focus cannot leave an open dialog, so the helper element is inserted into it.
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
