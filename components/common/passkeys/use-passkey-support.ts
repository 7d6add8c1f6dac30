"use client";

import { useSyncExternalStore } from "react";

/** `insecure`: opened over plain HTTP from another machine, where browsers offer no passkeys. */
export type PasskeySupport = "available" | "insecure" | "missing";

function support(): PasskeySupport {
  if (typeof window.PublicKeyCredential === "function") return "available";
  return window.isSecureContext ? "missing" : "insecure";
}

/** Whether this browser can create and use passkeys on this page. */
export function usePasskeySupport(): PasskeySupport {
  return useSyncExternalStore(
    () => () => {},
    support,
    () => "available",
  );
}
