"use client";

import { WifiOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

const isOffline = () => !navigator.onLine;
const isOfflineOnServer = () => false;

/** Says that there is no connection. */
export function OfflineNotice() {
  const t = useTranslations("offline");
  const offline = useSyncExternalStore(subscribe, isOffline, isOfflineOnServer);
  return (
    <div aria-live="polite">
      {offline && (
        <p className="flex items-center gap-2 border-border border-b bg-muted px-4 py-2 text-sm lg:px-8">
          <WifiOff aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          {t("notice")}
        </p>
      )}
    </div>
  );
}
