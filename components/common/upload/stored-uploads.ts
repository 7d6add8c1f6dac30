/** The item of the local storage with the unfinished uploads. */
export const STORED_UPLOADS = "slipway.uploads";

/** Whether this browser has unfinished uploads, without the code that reads them. */
export function hasStoredUploads(): boolean {
  try {
    return window.localStorage.getItem(STORED_UPLOADS) !== null;
  } catch {
    return false;
  }
}
