import { z } from "zod";

const draftSchema = z.object({
  description: z.string(),
  fileName: z.string(),
  metadata: z.array(z.object({ key: z.string(), value: z.string() })),
});

/** What was typed for a release whose upload was under way when the page was closed. */
export type ReleaseDraft = z.output<typeof draftSchema>;

const item = (environmentId: string) => `slipway.release-draft.${environmentId}`;

/** Keeps what was typed as long as the browser's tab lives. */
export function keepDraft(environmentId: string, draft: ReleaseDraft): void {
  try {
    window.sessionStorage.setItem(item(environmentId), JSON.stringify(draft));
  } catch {
    // Without storage it has to be typed again.
  }
}

/** What was kept for an environment; null where that is nothing. */
export function keptDraft(environmentId: string): ReleaseDraft | null {
  try {
    return draftSchema.parse(JSON.parse(window.sessionStorage.getItem(item(environmentId)) ?? "null"));
  } catch {
    return null;
  }
}

/** Forgets what was kept for an environment. */
export function forgetDraft(environmentId: string): void {
  try {
    window.sessionStorage.removeItem(item(environmentId));
  } catch {
    // Nothing was kept either.
  }
}
