/** The storage keys of the local state's encryption key and of the encrypted state. */
export const KEY_ITEM = "slipway.key";
export const STATE_ITEM = "slipway.state";

/** Whether there is a local state, without loading the code that decrypts it. */
export function hasLocalState(): boolean {
  try {
    return localStorage.getItem(STATE_ITEM) !== null;
  } catch {
    return false;
  }
}
