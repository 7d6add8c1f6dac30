"use client";

import { CalendarPlus, Rss } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";

// Loaded when it is opened for the first time.
const FeedDialog = lazyDialog(() => import("./feed-dialog").then((file) => file.FeedDialog));

/** Opens the dialog with the address of the user's feed of releases. */
export function FeedButton() {
  const t = useTranslations("feed");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <FeedDialog {...dialog} kind="release" />}>
      <Rss aria-hidden />
      {t("button")}
    </DialogButton>
  );
}

/** Opens the dialog with the address of the user's calendar of what ends. */
export function CalendarButton() {
  const t = useTranslations("calendar");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <FeedDialog {...dialog} kind="calendar" />}>
      <CalendarPlus aria-hidden />
      {t("button")}
    </DialogButton>
  );
}
