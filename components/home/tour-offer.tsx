"use client";

import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { useStore } from "@/components/common/store";
import { startTour, tourDismissed } from "@/components/common/tour/tour-progress";
import { Button } from "@/components/ui/button";

/** A line that offers the guided tour, until it was done or dismissed. */
export function TourOffer() {
  const t = useTranslations("dashboard.tour");
  const dismissed = useStore(tourDismissed, (is) => is);
  if (dismissed) return null;
  return (
    <div className="flex items-center gap-3.5 border-border border-t px-4 py-2 lg:px-5">
      <Compass aria-hidden className="size-4 shrink-0 mx-1 text-muted-foreground" />
      <p className="min-w-0 flex-1 text-pretty text-muted-foreground leading-5">{t("description")}</p>
      <Button variant="ghost" size="sm" onClick={startTour}>
        {t("start")}
      </Button>
    </div>
  );
}
