"use client";

import { UsersRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { PeopleDialogProps } from "./people-dialog";

// Loaded when it is opened for the first time, not with the page.
const PeopleDialog = lazyDialog<PeopleDialogProps>(() => import("./people-dialog").then((file) => file.PeopleDialog));

/** A release or an environment. */
export type PeoplePlace = { releaseId: string } | { environmentId: string };

/** Opens the list of the people who have a release, and of those who stopped on the way. */
export function PeopleButton({ place, name }: { place: PeoplePlace; name: string }) {
  const t = useTranslations("funnel.people");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <PeopleDialog place={place} name={name} {...dialog} />}>
      <UsersRound aria-hidden />
      {t("show")}
    </DialogButton>
  );
}
