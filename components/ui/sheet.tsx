"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as SheetPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { overlayClassName } from "./dialog";
import { useReturnFocus } from "./use-return-focus";

export const Sheet = SheetPrimitive.Root;
export const SheetTitle = SheetPrimitive.Title;
export const SheetDescription = SheetPrimitive.Description;

const sides = {
  left: "left-0 border-r data-[state=closed]:animate-slide-left-out data-[state=open]:animate-slide-left-in",
  right: "right-0 border-l data-[state=closed]:animate-slide-right-out data-[state=open]:animate-slide-right-in",
};

export type SheetContentProps = ComponentProps<typeof SheetPrimitive.Content> & { side?: keyof typeof sides };

/** A panel that slides in from one side over the page; it must contain a `SheetTitle`. */
export function SheetContent({ className, children, side = "right", ...props }: SheetContentProps) {
  const t = useTranslations("common");
  const returnFocus = useReturnFocus();
  return (
    <SheetPrimitive.Portal>
      <SheetPrimitive.Overlay className={overlayClassName} />
      <SheetPrimitive.Content
        {...returnFocus}
        data-slot="sheet-content"
        className={cn(
          "fixed inset-y-0 z-50 flex w-[min(22rem,calc(100vw-3rem))] flex-col border-border bg-popover text-popover-foreground text-sm shadow-2xl outline-none",
          sides[side],
          className,
        )}
        {...props}
      >
        {children}
        <SheetPrimitive.Close asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("close")}
            className="absolute top-2.5 right-2.5 text-muted-foreground"
          >
            <X aria-hidden />
          </Button>
        </SheetPrimitive.Close>
      </SheetPrimitive.Content>
    </SheetPrimitive.Portal>
  );
}
