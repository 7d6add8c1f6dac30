"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { ApiCallError, command, SECOND_FACTOR_EVENT, SESSION_ENDED_EVENT } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { followSignOut, leaveExpiredSession, leaveForSecondFactor } from "./leave";
import type { LocalState } from "./local-state";
import { onOtherTabs, tellOtherTabs } from "./session-channel";
import { CHECK_INTERVAL_MS, SessionClock } from "./session-clock";

export type SessionGuardProps = {
  /** What get-user-profile answers. */
  profile: OperationOutput<"auth/get-user-profile">;
  /** When the session ends; Unix seconds. */
  exp: number;
  /** How long a session lasts that nobody uses; seconds. */
  idleSeconds: number;
  /** The server's clock when it wrote the page; milliseconds since the epoch. */
  renderedAt: number;
};

const ACTIVITY = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

// The specification's boundary, as in the style sheet.
const DESKTOP = "(min-width: 62rem)";

/**
 * Watches over the session on every page behind the sign-in: compares its end each 60 seconds and whenever the page is
 * looked at again, keeps it alive while somebody works, and leaves for the sign-in once it is over, here, on the
 * server or in another tab.
 */
export function SessionGuard({ profile, exp, idleSeconds, renderedAt }: SessionGuardProps) {
  const t = useTranslations("session");
  const { user, permissions } = profile;

  useEffect(() => {
    note({
      userId: user.id,
      roleName: user.role.name,
      profile: user,
      permissions,
      exp,
      redirectPath: undefined,
    });
  }, [user, permissions, exp]);

  useEffect(() => {
    const desktop = window.matchMedia(DESKTOP);
    const noteWidth = () => note({ deviceType: desktop.matches ? "desktop" : "mobile" });
    noteWidth();
    desktop.addEventListener("change", noteWidth);
    return () => desktop.removeEventListener("change", noteWidth);
  }, []);

  useEffect(() => {
    // This machine's clock may be wrong; what counts is how far it is from the server's.
    const ahead = Date.now() - renderedAt;
    let leaving = false;

    const expire = () => {
      if (leaving) return;
      leaving = true;
      console.info(t("expired"));
      void leaveExpiredSession();
    };

    const clock = new SessionClock({
      exp,
      idleSeconds,
      now: () => (Date.now() - ahead) / 1000,
      refresh,
      notedExp,
      onRenewed: (renewed) => {
        note({ exp: renewed });
        tellOtherTabs({ type: "renewed", exp: renewed });
      },
      onExpired: expire,
    });

    const stopListening = onOtherTabs((message) => {
      if (message.type === "renewed") clock.noteRenewal(message.exp);
      else if (message.type === "signed-in" && message.userId !== user.id) window.location.reload();
      else if (message.type === "signed-out" && !leaving) {
        leaving = true;
        followSignOut();
      }
    });

    const check = () => void clock.check();
    const noteActivity = () => clock.noteActivity();
    const whenVisible = () => {
      if (document.visibilityState === "visible") check();
    };
    // A page that comes back from the browser's memory may show what the person has signed out of since.
    const whenRestored = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };

    check();
    const interval = window.setInterval(check, CHECK_INTERVAL_MS);
    for (const type of ACTIVITY) window.addEventListener(type, noteActivity, { passive: true });
    window.addEventListener("focus", check);
    document.addEventListener("visibilitychange", whenVisible);
    window.addEventListener("pageshow", whenRestored);
    window.addEventListener(SESSION_ENDED_EVENT, expire);
    window.addEventListener(SECOND_FACTOR_EVENT, leaveForSecondFactor);
    return () => {
      stopListening();
      window.clearInterval(interval);
      for (const type of ACTIVITY) window.removeEventListener(type, noteActivity);
      window.removeEventListener("focus", check);
      document.removeEventListener("visibilitychange", whenVisible);
      window.removeEventListener("pageshow", whenRestored);
      window.removeEventListener(SESSION_ENDED_EVENT, expire);
      window.removeEventListener(SECOND_FACTOR_EVENT, leaveForSecondFactor);
    };
  }, [exp, idleSeconds, renderedAt, user.id, t]);

  return null;
}

/** Keeps something of the session in this browser. The code for it comes after the page. */
function note(changes: Partial<LocalState>): void {
  import("./local-state").then(({ updateLocalState }) => updateLocalState(changes)).catch(console.warn);
}

/** The session's end as the tab that moved it last has noted it. */
async function notedExp(): Promise<number | undefined> {
  try {
    const { readLocalState } = await import("./local-state");
    return (await readLocalState()).exp;
  } catch {
    return undefined;
  }
}

/** Moves the session's end; a failure is left to the next check, and an ended session tells itself. */
async function refresh(): Promise<number | null> {
  try {
    return (await command("auth/refresh", {})).exp;
  } catch (error) {
    if (error instanceof ApiCallError) return null;
    throw error;
  }
}
