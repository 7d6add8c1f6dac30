"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import type { User } from "@/lib/features/auth/schema";

const ProfileDialog = dynamic(() => import("./profile-dialog").then((file) => file.ProfileDialog), { ssr: false });

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
