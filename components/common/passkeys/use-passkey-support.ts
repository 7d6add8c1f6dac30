"use client";

import { useSyncExternalStore } from "react";

/**
 * `insecure`: opened over plain HTTP from another machine, where browsers offer no passkeys. `address`: opened by an IP address,
 * to which no passkey can belong (WebAuthn, section 5.1.2). A loopback address has a name, `localhost`, at which they work.
 */
type PasskeySupport = "available" | "insecure" | "address" | "missing";

/** Whether a host in a URL is an IP address without a name. */
function isAddress(hostname: string): boolean {
  const isLoopback = hostname === "[::1]" || hostname.startsWith("127.");
  return !isLoopback && (hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname));
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
