"use client";

import { useState } from "react";
import { useOperation } from "@/lib/client/use-operation";
import { leaveAfterSignOut, leaveToSwitchAccount, providerLogoutUrl } from "./leave";

/**
 * Signs out of the console and of the provider that the user signed in with, and opens the sign-in page.
 *
 * @param options.returning whether the next sign-in returns to the current page; the provider's own sign-out is then skipped,
 *   because it forgets the page
 */
export function useSignOut({ returning = false }: { returning?: boolean } = {}): {
  signOut: () => Promise<void>;
  signingOut: boolean;
} {
  const logout = useOperation("auth/logout");
  const [signingOut, setSigningOut] = useState(false);

  const signOut = async () => {
    setSigningOut(true);
    // Requested before the logout, which ends the session that the request needs.
    const providerLogout = returning ? null : await providerLogoutUrl();
    const result = await logout.run({});
    if (result.ok) await (returning ? leaveToSwitchAccount() : leaveAfterSignOut(providerLogout));
    else setSigningOut(false);
  };
  return { signOut, signingOut };
}
