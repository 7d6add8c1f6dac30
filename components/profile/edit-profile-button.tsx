"use client";

import { Pencil } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import type { User } from "@/lib/features/auth/schema";

const ProfileDialog = dynamic(() => import("./profile-dialog").then((file) => file.ProfileDialog), { ssr: false });

/** Changes a person's own names and picture. */
export function EditProfileButton({ user }: { user: User }) {
  const t = useTranslations("profile");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Pencil aria-hidden />
        {t("edit")}
      </Button>
      {opening > 0 && <ProfileDialog key={opening} user={user} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}
