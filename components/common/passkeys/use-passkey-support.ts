"use client";

import { useSyncExternalStore } from "react";

/**
 * `insecure`: opened over plain HTTP from another machine, where browsers offer no passkeys. `address`: opened by an IP address,
 * to which no passkey can belong (WebAuthn, section 5.1.2).
 */
export type PasskeySupport = "available" | "insecure" | "address" | "missing";

/** Whether a host in a URL is an IP address. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

function support(): PasskeySupport {
  if (window.isSecureContext && isAddress(window.location.hostname)) return "address";
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
