"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { hasUnsavedInput } from "@/components/common/unsaved-input";
import { useDialog } from "@/components/common/use-dialog";
import { discardUnsavedWork } from "@/components/common/use-unsaved-work";
import { ApiCallError, command, query, SECOND_FACTOR_EVENT, SESSION_ENDED_EVENT } from "@/lib/client/client";
import type { OperationOutput } from "@/lib/client/operation-types";
import {
  followSignOut,
  forgetExpiredSession,
  leaveExpiredSession,
  leaveForSecondFactor,
  signInInNewTab,
} from "./leave";
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

const SessionEndedDialog = lazyDialog(() => import("./session-ended-dialog").then((file) => file.SessionEndedDialog));

const ACTIVITY_EVENTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

// The specification's breakpoint, as in the style sheet.
const DESKTOP = "(min-width: 62rem)";

/**
 * Monitors the session on every page after the sign-in. It checks the session every 60 seconds and whenever the page
 * becomes visible, refreshes it while the user is active, and opens the sign-in page when the session has ended here,
 * on the server or in another tab. If a form has input that was not sent, it asks the user to sign in in a new tab
 * instead, and the page goes on with the new session. The input stays in the page's memory and is not stored.
 */
export function SessionGuard({ profile, exp, idleSeconds, renderedAt }: SessionGuardProps) {
  const t = useTranslations("session");
  const { user, permissions } = profile;
  const { show, ...ended } = useDialog();
  const { onOpenChange } = ended;
  /** The end of the session that continues the page's, in Unix seconds. */
  const [renewedExp, setRenewedExp] = useState(0);
  const signInTab = useRef<Window | null>(null);
  const latestExp = Math.max(exp, renewedExp);

  useEffect(() => {
    store({
      userId: user.id,
      roleName: user.role.name,
      profile: user,
      permissions,
      exp: latestExp,
      redirectPath: undefined,
    });
  }, [user, permissions, latestExp]);

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
    /** Whether the page waits for the user to sign in in another tab. */
    let waiting = false;

    const waitForSignIn = () => {
      waiting = true;
      show();
    };

    const expire = () => {
      if (leaving || waiting) return;
      console.info(t("expired"));
      if (hasUnsavedInput()) {
        void forgetExpiredSession();
        waitForSignIn();
        return;
      }
      leaving = true;
      void leaveExpiredSession();
    };

    const requireSecondFactor = () => {
      if (leaving || waiting) return;
      if (hasUnsavedInput()) waitForSignIn();
      else leaveForSecondFactor();
    };

    const resume = async () => {
      const renewed = await newSessionExp();
      if (renewed === null) return;
      signInTab.current?.close();
      signInTab.current = null;
      onOpenChange(false);
      // A later end than before, so that the effect runs again, with a new clock.
      setRenewedExp((before) => Math.max(renewed, before + 1, exp + 1));
    };

    const clock = new SessionClock({
      exp: latestExp,
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
      else if (message.type === "signed-in" && waiting) void resume();
      else if (message.type === "signed-out" && !leaving && !waiting) {
        leaving = !hasUnsavedInput();
        if (leaving) followSignOut();
        else waitForSignIn();
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
    window.addEventListener(SECOND_FACTOR_EVENT, requireSecondFactor);
    return () => {
      stopListening();
      window.clearInterval(interval);
      for (const type of ACTIVITY_EVENTS) window.removeEventListener(type, noteActivity);
      window.removeEventListener("focus", check);
      document.removeEventListener("visibilitychange", whenVisible);
      window.removeEventListener("pageshow", whenRestored);
      window.removeEventListener(SESSION_ENDED_EVENT, expire);
      window.removeEventListener(SECOND_FACTOR_EVENT, requireSecondFactor);
    };
  }, [exp, latestExp, idleSeconds, renderedAt, user.id, t, show, onOpenChange]);

  return (
    <OpenedDialog state={{ show, ...ended }}>
      {({ open }) => (
        <SessionEndedDialog
          open={open}
          email={user.email}
          onSignIn={() => {
            signInTab.current = signInInNewTab();
          }}
          onLeave={() => {
            discardUnsavedWork();
            void leaveExpiredSession();
          }}
        />
      )}
    </OpenedDialog>
  );
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

/**
 * The end of the session that a sign-in in another tab has begun, in Unix seconds; null if there is none, or if it has not
 * passed its second factor.
 */
async function newSessionExp(): Promise<number | null> {
  const renewed = await refresh();
  if (renewed === null) return null;
  try {
    await query("auth/get-user-sessions", {});
    return renewed;
  } catch (error) {
    if (error instanceof ApiCallError) return null;
    throw error;
  }
}
