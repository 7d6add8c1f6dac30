"use client";

import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Toaster as SonnerToaster, toast, useSonner } from "sonner";
import { type Notification, onNotification, takeNotifications } from "@/lib/client/notify";
import { freeTop } from "./notification-place";

/** How long notifications are shown; the specification's constant. */
const NOTIFICATION_DURATION_MS = 5000;

/** The place of the notifications, in CSS pixels: below the top bar with the account menu. */
const TOP = 64;
const SIDE = 16;
const WIDTH = 356;
/** The height of a notification with two lines of description. */
const HEIGHT = 120;
/** The part of the window in which they appear. */
const LOWEST = 0.5;

/** Where notifications cover no primary button. */
function freePlace(): number {
  const { clientWidth, clientHeight } = document.documentElement;
  const right = clientWidth - SIDE;
  const area = { top: TOP, bottom: TOP + HEIGHT, left: Math.max(0, right - WIDTH), right };
  const buttons = document.querySelectorAll("[data-slot=button][data-variant=primary]");
  const boxes = [...buttons].map((button) => button.getBoundingClientRect()).filter(({ width }) => width > 0);
  return freeTop(area, boxes, clientHeight * LOWEST);
}

/**
 * The place of the notifications. It changes with the page while they are shown: a notification of a change often appears
 * just before the page of the new record.
 */
function useFreePlace(): number {
  const [top, setTop] = useState(TOP);
  const { toasts } = useSonner();
  const isShowing = toasts.length > 0;
  useEffect(() => {
    if (!isShowing) return;
    let frame = 0;
    const place = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setTop(freePlace()));
    };
    place();
    const observer = new MutationObserver(place);
    observer.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, { capture: true });
    };
  }, [isShowing]);
  return top;
}

/**
 * The region where notifications appear: top right, announced politely, where they cover no primary button. Use `Notifications`, which loads this component
 * on demand.
 */
export function Toaster() {
  const t = useTranslations("common");
  const top = useFreePlace();

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
      offset={{ top, right: SIDE }}
      mobileOffset={{ top, left: 12, right: 12 }}
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

function show({ tone, title, description, action }: Notification): void {
  toast[tone](title, { description, action });
}
