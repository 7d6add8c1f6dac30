"use client";

import { Pencil, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import type { Platform } from "@/lib/features/platforms/schema";

// Forms come with the first press, not with the list.
const CreatePlatformDialog = dynamic(() => import("./platform-dialog").then((file) => file.CreatePlatformDialog), {
  ssr: false,
});
const UpdatePlatformDialog = dynamic(() => import("./platform-dialog").then((file) => file.UpdatePlatformDialog), {
  ssr: false,
});

/** Adds a platform. */
export function CreatePlatformButton() {
  const t = useTranslations("platforms");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Plus aria-hidden />
        {t("create")}
      </Button>
      {opening > 0 && <CreatePlatformDialog key={opening} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}

/** Changes the platform of a row. */
export function UpdatePlatformButton({ platform }: { platform: Platform }) {
  const t = useTranslations("platforms");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("update", { name: platform.name })}
        onClick={show}
        className="text-muted-foreground"
      >
        <Pencil aria-hidden />
      </Button>
      {opening > 0 && (
        <UpdatePlatformDialog key={opening} platform={platform} open={open} onOpenChange={onOpenChange} />
      )}
    </>
  );
}
