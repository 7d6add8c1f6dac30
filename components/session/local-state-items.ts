/** The names under which the browser keeps the local state's key and the encrypted state. */
export const KEY_ITEM = "slipway.key";
export const STATE_ITEM = "slipway.state";

/** Whether there is a local state at all, without the code that opens it. */
export function hasLocalState(): boolean {
  try {
    return localStorage.getItem(STATE_ITEM) !== null;
  } catch {
    return false;
  }
}
