"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { RowButton } from "@/components/common/row-button";

/** The name of an application of a permission, and the button that removes it. The legend of its fields has the name for screen readers. */
export function ChosenAppHeading({ name, onRemove }: { name: string; onRemove: () => void }) {
  const t = useTranslations("permissions");
  return (
    <div className="flex items-center justify-between gap-2">
      <span aria-hidden className="truncate font-medium">
        {name}
      </span>
      <RowButton label={t("removeApp", { name })} icon={<X aria-hidden />} onClick={onRemove} className="-mr-1.5" />
    </div>
  );
}
