"use client";

import { Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { User } from "@/lib/features/auth/schema";

const ProfileDialog = lazyDialog(() => import("./profile-dialog").then((file) => file.ProfileDialog));

/** Opens the dialog that changes the user's own names and picture. */
export function EditProfileButton({ user }: { user: User }) {
  const t = useTranslations("profile");
  return (
    <DialogButton dialog={(dialog) => <ProfileDialog user={user} {...dialog} />}>
      <Pencil aria-hidden />
      {t("edit")}
    </DialogButton>
  );
}
