/** The storage keys of the local state's encryption key and of the encrypted state. */
export const KEY_ITEM = "slipway.key";
export const STATE_ITEM = "slipway.state";
/** The storage key of the time of the last sign-in, in milliseconds since the epoch. */
export const SIGN_IN_ITEM = "slipway.signed-in";

/** Whether there is a local state, without loading the code that decrypts it. */
export function hasLocalState(): boolean {
  try {
    return localStorage.getItem(STATE_ITEM) !== null;
  } catch {
    return false;
  }
}

/** Notes that a sign-in begins a session, for tabs whose pages are still loading and miss the message about it. */
export function noteSignIn(): void {
  try {
    localStorage.setItem(SIGN_IN_ITEM, String(Date.now()));
  } catch {
    // Without storage, those tabs show the sign-in until they are loaded again.
  }
}

/** Whether a session has begun in another tab since this page began to load. */
export function hasSignInSinceLoad(): boolean {
  try {
    const signedInAt = Number(localStorage.getItem(SIGN_IN_ITEM));
    // `performance.timeOrigin` can be hours off after a machine was suspended. A time in the future is one before the
    // clock was set back, and would let the page load again and again.
    return signedInAt > Date.now() - performance.now() && signedInAt <= Date.now();
  } catch {
    return false;
  }
}
