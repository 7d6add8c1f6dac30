"use client";

import { useState } from "react";
import { useOperation } from "@/lib/client/use-operation";
import { leaveAfterSignOut, providerLogoutUrl } from "./leave";

/** Signs out of the console and of the provider that the user signed in with, and opens the sign-in page. */
export function useSignOut(): { signOut: () => Promise<void>; signingOut: boolean } {
  const logout = useOperation("auth/logout");
  const [signingOut, setSigningOut] = useState(false);

  const signOut = async () => {
    setSigningOut(true);
    // Requested before the logout, which ends the session that the request needs.
    const providerLogout = await providerLogoutUrl();
    const result = await logout.run({});
    if (result.ok) await leaveAfterSignOut(providerLogout);
    else setSigningOut(false);
  };
  return { signOut, signingOut };
}
