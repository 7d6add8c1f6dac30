"use client";

import { AlertDialog as AlertDialogPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { overlayClassName } from "./dialog";
import { useReturnFocus } from "./use-return-focus";

export const AlertDialog = AlertDialogPrimitive.Root;
export const AlertDialogCancel = AlertDialogPrimitive.Cancel;

export type AlertDialogContentProps = ComponentProps<typeof AlertDialogPrimitive.Content> & {
  /** Hides the page instead of dimming it. */
  opaque?: boolean;
};

/** A dialog that requires an answer; a press outside does not close it. */
export function AlertDialogContent({ className, onOpenAutoFocus, opaque = false, ...props }: AlertDialogContentProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialogPrimitive.Portal>
      {/* Above another dialog, the page is dimmed already. */}
      <AlertDialogPrimitive.Overlay
        className={cn(
          overlayClassName,
          opaque ? "bg-background" : "in-[body:has([data-slot=dialog-content][data-state=open])]:bg-transparent",
        )}
      />
      <AlertDialogPrimitive.Content
        onOpenAutoFocus={(event) => {
          returnFocus.onOpenAutoFocus();
          onOpenAutoFocus?.(event);
        }}
        onCloseAutoFocus={returnFocus.onCloseAutoFocus}
        data-slot="alert-dialog-content"
        className={cn(
          "fixed inset-x-3 bottom-3 z-50 flex max-h-[calc(100dvh-2rem)] flex-col gap-4 overflow-y-auto rounded-xl border border-border bg-popover p-5 text-popover-foreground text-sm shadow-2xl outline-none",
          "data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in",
          "lg:inset-auto lg:top-1/2 lg:left-1/2 lg:w-[calc(100vw-3rem)] lg:max-w-md lg:-translate-x-1/2 lg:-translate-y-1/2",
          "lg:data-[state=closed]:animate-pop-out lg:data-[state=open]:animate-pop-in",
          className,
        )}
        {...props}
      />
    </AlertDialogPrimitive.Portal>
  );
}

export function AlertDialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="alert-dialog-footer"
      className={cn("flex gap-2 max-lg:[&>*]:flex-1 lg:justify-end", className)}
      {...props}
    />
  );
}

export function AlertDialogTitle({ className, ...props }: ComponentProps<typeof AlertDialogPrimitive.Title>) {
  return (
    <AlertDialogPrimitive.Title
      data-slot="alert-dialog-title"
      className={cn("text-pretty font-semibold text-base leading-6 tracking-tight", className)}
      {...props}
    />
  );
}

export function AlertDialogDescription({
  className,
  ...props
}: ComponentProps<typeof AlertDialogPrimitive.Description>) {
  return (
    <AlertDialogPrimitive.Description
      data-slot="alert-dialog-description"
      className={cn("text-pretty text-muted-foreground leading-5", className)}
      {...props}
    />
  );
}
