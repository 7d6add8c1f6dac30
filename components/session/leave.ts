import { query } from "@/lib/client/client";
import { EXPIRED_PARAMETER, NEXT_PARAMETER, secondFactorPath } from "@/lib/kernel/navigation/sign-in-paths";
import { tellOtherTabs } from "./session-channel";

/** Clears what the browser keeps of the session; what cannot be cleared must not keep anyone on the page. */
async function forgetSession(kept: { redirectPath?: string }): Promise<void> {
  try {
    const { clearLocalState, updateLocalState } = await import("./local-state");
    await clearLocalState();
    if (kept.redirectPath) await updateLocalState(kept);
  } catch (error) {
    console.warn(error);
  }
}

/** This page, to come back to. */
function here(): string {
  return `${window.location.pathname}${window.location.search}`;
}

/** So long does a sign-out wait to learn where the provider's own is, in milliseconds. */
const LOGOUT_URL_MS = 3_000;

/** Where the provider by which the person signed in ends its own session; null where it does not, or does not say. */
export async function providerLogoutUrl(): Promise<string | null> {
  try {
    return (await query("auth/get-logout-url", {}, { signal: AbortSignal.timeout(LOGOUT_URL_MS) })).url;
  } catch {
    // Signing out here does not depend on it.
    return null;
  }
}

/**
 * Leaves for the sign-in after the person has signed out. A full load, so that nothing of their pages stays in memory.
 * @param elsewhere the provider's own sign-out, which leads back to the sign-in
 */
export async function leaveAfterSignOut(elsewhere: string | null = null): Promise<void> {
  await forgetSession({});
  tellOtherTabs({ type: "signed-out" });
  window.location.assign(elsewhere ?? "/");
}

/** Leaves for the sign-in because the session is over, and back to this very page afterwards. */
export async function leaveExpiredSession(): Promise<void> {
  const redirectPath = here();
  await forgetSession({ redirectPath });
  tellOtherTabs({ type: "signed-out" });
  window.location.assign(`/?${new URLSearchParams({ [NEXT_PARAMETER]: redirectPath, [EXPIRED_PARAMETER]: "1" })}`);
}

/** Follows another tab to the sign-in; it has already cleared what is kept. */
export function followSignOut(): void {
  window.location.assign(`/?${new URLSearchParams({ [NEXT_PARAMETER]: here() })}`);
}

/** Leaves for the second factor, which the session has still to pass, and back to this very page afterwards. */
export function leaveForSecondFactor(): void {
  window.location.assign(secondFactorPath(here()));
}
