"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { ApiCallError, command, SECOND_FACTOR_EVENT, SESSION_ENDED_EVENT } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import { followSignOut, leaveExpiredSession, leaveForSecondFactor } from "./leave";
import type { LocalState } from "./local-state";
import { notifyOtherTabs, onOtherTabs } from "./session-channel";
import { CHECK_INTERVAL_MS, SessionClock } from "./session-clock";

export type SessionGuardProps = {
  /** The response of get-user-profile. */
  profile: OperationOutput<"auth/get-user-profile">;
  /** When the session ends, in Unix seconds. */
  exp: number;
  /** How long an unused session lasts, in seconds. */
  idleSeconds: number;
  /** The server's clock when it rendered the page, in milliseconds since the epoch. */
  renderedAt: number;
};

const ACTIVITY_EVENTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

// The specification's breakpoint, as in the style sheet.
const DESKTOP = "(min-width: 62rem)";

/**
 * Monitors the session on every page after the sign-in. It checks the session every 60 seconds and whenever the page
 * becomes visible, refreshes it while the user is active, and opens the sign-in page when the session has ended here,
 * on the server or in another tab.
 */
export function SessionGuard({ profile, exp, idleSeconds, renderedAt }: SessionGuardProps) {
  const t = useTranslations("session");
  const { user, permissions } = profile;

  useEffect(() => {
    store({
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
    const storeDeviceType = () => store({ deviceType: desktop.matches ? "desktop" : "mobile" });
    storeDeviceType();
    desktop.addEventListener("change", storeDeviceType);
    return () => desktop.removeEventListener("change", storeDeviceType);
  }, []);

  useEffect(() => {
    // The clock of this machine may be wrong; the offset to the server's clock corrects it.
    const clockOffsetMs = Date.now() - renderedAt;
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
      now: () => (Date.now() - clockOffsetMs) / 1000,
      refresh,
      notedExp,
      onRenewed: (renewed) => {
        store({ exp: renewed });
        notifyOtherTabs({ type: "renewed", exp: renewed });
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
    // A page restored from the back/forward cache may show data of a user who has signed out since.
    const whenRestored = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };

    check();
    const interval = window.setInterval(check, CHECK_INTERVAL_MS);
    for (const type of ACTIVITY_EVENTS) window.addEventListener(type, noteActivity, { passive: true });
    window.addEventListener("focus", check);
    document.addEventListener("visibilitychange", whenVisible);
    window.addEventListener("pageshow", whenRestored);
    window.addEventListener(SESSION_ENDED_EVENT, expire);
    window.addEventListener(SECOND_FACTOR_EVENT, leaveForSecondFactor);
    return () => {
      stopListening();
      window.clearInterval(interval);
      for (const type of ACTIVITY_EVENTS) window.removeEventListener(type, noteActivity);
      window.removeEventListener("focus", check);
      document.removeEventListener("visibilitychange", whenVisible);
      window.removeEventListener("pageshow", whenRestored);
      window.removeEventListener(SESSION_ENDED_EVENT, expire);
      window.removeEventListener(SECOND_FACTOR_EVENT, leaveForSecondFactor);
    };
  }, [exp, idleSeconds, renderedAt, user.id, t]);

  return null;
}

/** Stores fields of the local state in this browser. Its code is loaded after the page. */
function store(changes: Partial<LocalState>): void {
  import("./local-state").then(({ updateLocalState }) => updateLocalState(changes)).catch(console.warn);
}

/** The session's end as stored by the tab that refreshed it last. */
async function notedExp(): Promise<number | undefined> {
  try {
    const { readLocalState } = await import("./local-state");
    return (await readLocalState()).exp;
  } catch {
    return undefined;
  }
}

/**
 * Extends the session. A failure is retried at the next check; an ended session is reported by the operation itself.
 */
async function refresh(): Promise<number | null> {
  try {
    return (await command("auth/refresh", {})).exp;
  } catch (error) {
    if (error instanceof ApiCallError) return null;
    throw error;
  }
}
