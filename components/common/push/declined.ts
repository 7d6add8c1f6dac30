const STORAGE_KEY = "push-offer";

/** Whether the user has declined notifications in this browser. Without storage, they are offered again. */
export function isPushDeclined(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

/** Offers notifications in this browser no more. */
export function declinePush(): void {
  try {
    localStorage.setItem(STORAGE_KEY, "declined");
  } catch {
    // They are offered again.
  }
}
