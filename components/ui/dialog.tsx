"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as DialogPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { Button } from "./button";
import { cn } from "./cn";
import { useReturnFocus } from "./use-return-focus";

export const Dialog = DialogPrimitive.Root;
export const DialogClose = DialogPrimitive.Close;

export const overlayClassName =
  "fixed inset-0 z-50 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in";

export type DialogContentProps = ComponentProps<typeof DialogPrimitive.Content> & {
  size?: "sm" | "md" | "lg" | "xl";
  /** Keeps the height on desktops, so that the buttons stay in their place when the content changes. */
  steady?: boolean;
};

const widths = { sm: "lg:max-w-sm", md: "lg:max-w-lg", lg: "lg:max-w-2xl", xl: "lg:max-w-4xl" };

/** A dialog in the center on desktops, a full-height sheet on phones. */
export function DialogContent({ className, children, size = "md", steady = false, ...props }: DialogContentProps) {
  const t = useTranslations("common");
  const returnFocus = useReturnFocus();
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className={overlayClassName} />
      <DialogPrimitive.Content
        {...returnFocus}
        data-slot="dialog-content"
        className={cn(
          "fixed inset-0 z-50 flex flex-col bg-popover text-popover-foreground text-sm outline-none",
          "data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in",
          "lg:inset-auto lg:top-1/2 lg:left-1/2 lg:max-h-[calc(100dvh-4rem)] lg:w-[calc(100vw-3rem)] lg:-translate-x-1/2 lg:-translate-y-1/2 lg:rounded-xl lg:border lg:border-border lg:shadow-2xl",
          "lg:data-[state=closed]:animate-pop-out lg:data-[state=open]:animate-pop-in",
          widths[size],
          steady && "lg:h-[min(40rem,calc(100dvh-4rem))]",
          className,
        )}
        {...props}
      >
        {children}
        <DialogPrimitive.Close asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("close")}
            className="absolute top-3 right-3 text-muted-foreground lg:top-3.5 lg:right-3.5"
          >
            <X aria-hidden />
          </Button>
        </DialogPrimitive.Close>
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}

export function DialogHeader({ className, ...props }: ComponentProps<"div">) {
  return (
    <div data-slot="dialog-header" className={cn("flex flex-col gap-1 px-5 pt-4.5 pr-14 pb-3", className)} {...props} />
  );
}

/** The scrolling part between header and footer. */
export function DialogBody({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="dialog-body"
      className={cn("scroll-divider min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-2", className)}
      {...props}
    />
  );
}

export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="dialog-footer"
      className={cn(
        "flex gap-2 border-border border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-lg:flex-wrap max-lg:[&>*]:flex-1 lg:justify-end",
        className,
      )}
      {...props}
    />
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof DialogPrimitive.Title>) {
  return (
    <DialogPrimitive.Title
      data-slot="dialog-title"
      className={cn("text-pretty font-semibold text-base leading-6 tracking-tight", className)}
      {...props}
    />
  );
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof DialogPrimitive.Description>) {
  return (
    <DialogPrimitive.Description
      data-slot="dialog-description"
      className={cn("text-pretty text-muted-foreground leading-5", className)}
      {...props}
    />
  );
}
