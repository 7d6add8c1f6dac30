import { z } from "zod";

const draftSchema = z.object({
  description: z.string(),
  fileName: z.string(),
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
});

/** The form of a release whose upload was in progress when the page was closed. */
type ReleaseDraft = z.output<typeof draftSchema>;

const item = (environmentId: string) => `slipway.release-draft.${environmentId}`;

/** Stores a draft for the lifetime of the browser tab. */
export function storeDraft(environmentId: string, draft: ReleaseDraft): void {
  try {
    window.sessionStorage.setItem(item(environmentId), JSON.stringify(draft));
  } catch {
    // Without storage, the form has to be filled in again.
  }
}

/** The stored draft of an environment; null if there is none. */
export function storedDraft(environmentId: string): ReleaseDraft | null {
  try {
    return draftSchema.parse(JSON.parse(window.sessionStorage.getItem(item(environmentId)) ?? "null"));
  } catch {
    return null;
  }
}

/** Removes the stored draft of an environment. */
export function removeDraft(environmentId: string): void {
  try {
    window.sessionStorage.removeItem(item(environmentId));
  } catch {
    // Without storage, there is no draft.
  }
}
