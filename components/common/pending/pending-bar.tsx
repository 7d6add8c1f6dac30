"use client";

import { useTranslations } from "next-intl";
import { useIsPending } from "./pending-store";

/** A bar at the top of the window that is shown while a page or a dialog is being loaded. */
export function PendingBar() {
  const t = useTranslations("common");
  if (!useIsPending()) return null;
  return (
    <div
      role="progressbar"
      aria-label={t("loading")}
      className="pointer-events-none fixed inset-x-0 top-0 z-70 h-0.5 animate-appear overflow-hidden bg-primary/20"
    >
      <div className="h-full w-2/5 animate-indeterminate bg-primary motion-reduce:w-full" />
    </div>
  );
}
