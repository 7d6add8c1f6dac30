import { query } from "@/lib/client/client";
import {
  EXPIRED_PARAMETER,
  enrollmentPath,
  NEXT_PARAMETER,
  secondFactorPath,
} from "@/lib/kernel/navigation/sign-in-paths";
import { notifyOtherTabs } from "./session-channel";

/** Clears what the browser stores of the session. A failure must not keep the user on the page. */
async function clearSessionState(kept: { redirectPath?: string }): Promise<void> {
  try {
    const { clearLocalState, updateLocalState } = await import("./local-state");
    await clearLocalState();
    if (kept.redirectPath) await updateLocalState(kept);
  } catch (error) {
    console.warn(error);
  }
}

/** The current path, to return to after the sign-in. */
function currentPath(): string {
  return `${window.location.pathname}${window.location.search}`;
}

/** How long a sign-out waits for the URL of the provider's own sign-out. */
const LOGOUT_URL_TIMEOUT_MS = 3_000;

/** The URL of the provider's sign-out; null if the provider has none or does not respond. */
export async function providerLogoutUrl(): Promise<string | null> {
  try {
    return (await query("auth/get-logout-url", {}, { signal: AbortSignal.timeout(LOGOUT_URL_TIMEOUT_MS) })).url;
  } catch {
    // Signing out here does not depend on it.
    return null;
  }
}

/** How long a sign-out waits for the browser to end its notifications. */
const UNSUBSCRIBE_TIMEOUT_MS = 1_000;

/** Ends the notifications of this browser: the next user of the browser must not see the releases of this one. */
async function endNotifications(): Promise<void> {
  try {
    const { unsubscribeBrowser } = await import("@/lib/client/push/browser-push");
    const waited = new Promise((resolve) => setTimeout(resolve, UNSUBSCRIBE_TIMEOUT_MS));
    await Promise.race([unsubscribeBrowser(), waited]);
  } catch (error) {
    console.warn(error);
  }
}

/**
 * Opens the sign-in page after the user has signed out. This is a full page load, so that nothing of their pages stays
 * in memory.
 * @param providerLogout the provider's sign-out, which redirects to the sign-in page
 */
export async function leaveAfterSignOut(providerLogout: string | null = null): Promise<void> {
  await clearSessionState({});
  await endNotifications();
  notifyOtherTabs({ type: "signed-out" });
  window.location.assign(providerLogout ?? "/");
}

/** Opens the sign-in page after the user has signed out to use another account; the sign-in returns to the current page. */
export async function leaveToSwitchAccount(): Promise<void> {
  await clearSessionState({});
  await endNotifications();
  notifyOtherTabs({ type: "signed-out" });
  followSignOut();
}

function expiredPath(next: string): string {
  return `/?${new URLSearchParams({ [NEXT_PARAMETER]: next, [EXPIRED_PARAMETER]: "1" })}`;
}

/** Opens the sign-in page because the session has ended; the sign-in returns to the current page. */
export async function leaveExpiredSession(): Promise<void> {
  const redirectPath = currentPath();
  await clearSessionState({ redirectPath });
  notifyOtherTabs({ type: "signed-out" });
  window.location.assign(expiredPath(redirectPath));
}

/** Clears what the browser stores of a session that has ended, on a page that stays for its input. */
export function forgetExpiredSession(): Promise<void> {
  return clearSessionState({});
}

/** Opens the sign-in page in a new tab, for a page that stays. @returns the tab; null if the browser refused it */
export function signInInNewTab(): Window | null {
  return window.open(expiredPath(currentPath()), "_blank");
}

/** Opens the sign-in page after another tab has signed out and cleared the stored state. */
export function followSignOut(): void {
  window.location.assign(`/?${new URLSearchParams({ [NEXT_PARAMETER]: currentPath() })}`);
}

/** Opens the second-factor page, because the session has not passed it; it returns to the current page. */
export function leaveForSecondFactor(): void {
  window.location.assign(secondFactorPath(currentPath()));
}

/** Opens the setup of two-factor authentication, which returns to the current page. */
export function leaveForEnrollment(): void {
  window.location.assign(enrollmentPath(currentPath()));
}
