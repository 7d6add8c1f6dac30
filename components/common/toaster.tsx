"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Toaster as SonnerToaster, toast } from "sonner";
import { type Notification, onNotification, takeNotifications } from "@/lib/client/notify";

/** How long notifications are shown; the specification's constant. */
const NOTIFICATION_DURATION_MS = 5000;

/**
 * The region where notifications appear: top right, announced politely. Use `Notifications`, which loads this component
 * on demand.
 */
export function Toaster() {
  const t = useTranslations("common");

  useEffect(() => {
    const showAll = () => takeNotifications().forEach(show);
    showAll();
    return onNotification(showAll);
  }, []);

  return (
    <SonnerToaster
      position="top-right"
      duration={NOTIFICATION_DURATION_MS}
      closeButton
      gap={8}
      offset={{ top: 64, right: 16 }}
      mobileOffset={{ top: 64, left: 12, right: 12 }}
      containerAriaLabel={t("notifications")}
      icons={{
        success: <CircleCheck aria-hidden className="size-4 text-success" />,
        error: <CircleAlert aria-hidden className="size-4 text-danger" />,
        warning: <TriangleAlert aria-hidden className="size-4 text-warning" />,
        info: <Info aria-hidden className="size-4 text-info" />,
        close: <X aria-hidden className="size-3.5" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: t("closeNotification"),
        classNames: {
          toast: "toast",
          icon: "toast-icon",
          content: "toast-content",
          title: "toast-title",
          description: "toast-description",
          closeButton: "toast-close",
          actionButton: "toast-action",
        },
      }}
    />
  );
}

let errorCount = 0;

function show({ tone, title, description, action }: Notification): void {
  if (tone !== "error" || action) {
    toast[tone](title, { description, action });
    return;
  }
  errorCount += 1;
  const id = `error-${errorCount}`;
  const keepOpen = () => toast.error(title, { id, description, duration: Number.POSITIVE_INFINITY, action: undefined });
  toast.error(title, { id, description, action: <KeepOpenButton onPress={keepOpen} /> });
}

function KeepOpenButton({ onPress }: { onPress: () => void }) {
  const t = useTranslations("common");
  return (
    <button type="button" className="toast-action" onClick={onPress}>
      {t("keepOpen")}
    </button>
  );
}
