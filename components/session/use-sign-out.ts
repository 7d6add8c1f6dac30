"use client";

import { useState } from "react";
import { useOperation } from "@/lib/client/use-operation";
import { leaveAfterSignOut, providerLogoutUrl } from "./leave";

/** Signs out, here and with the provider by which the person signed in, and leaves for the sign-in. */
export function useSignOut(): { signOut: () => Promise<void>; signingOut: boolean } {
  const logout = useOperation("auth/logout");
  const [signingOut, setSigningOut] = useState(false);

  const signOut = async () => {
    setSigningOut(true);
    // Before the logout, which leaves no session to ask with.
    const elsewhere = await providerLogoutUrl();
    const result = await logout.run({});
    if (result.ok) await leaveAfterSignOut(elsewhere);
    else setSigningOut(false);
  };
  return { signOut, signingOut };
}
