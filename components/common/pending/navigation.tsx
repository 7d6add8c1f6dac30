"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useTransition } from "react";
import { setPendingHref, useReportPending } from "./pending-store";

type NavigateOptions = {
  /** Replaces the current entry of the history. */
  replace?: boolean;
  /** Whether to scroll to the top; the default is true. */
  scroll?: boolean;
};

export type Navigate = (href: string, options?: NavigateOptions) => void;

const NavigateContext = createContext<Navigate>(() => undefined);

/** Opens a page of the console. The bar at the top of the window is shown until the page, or its skeleton, is there. */
export function useNavigate(): Navigate {
  return useContext(NavigateContext);
}

/**
 * Runs the navigations of all links in one transition. It outlives the links: a link in a menu is removed when it is
 * pressed.
 */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  useReportPending(pending);

  useEffect(() => {
    if (!pending) setPendingHref(null);
  }, [pending]);

  const navigate = useCallback<Navigate>(
    (href, { replace = false, scroll = true } = {}) => {
      setPendingHref(href);
      start(() => (replace ? router.replace : router.push)(href, { scroll }));
    },
    [router],
  );

  return <NavigateContext value={navigate}>{children}</NavigateContext>;
}
