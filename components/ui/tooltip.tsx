"use client";

import { Tooltip as TooltipPrimitive } from "radix-ui";
import type { ComponentProps, ReactElement, ReactNode } from "react";
import { cn } from "./cn";

export type TooltipProps = {
  content: ReactNode;
  side?: ComponentProps<typeof TooltipPrimitive.Content>["side"];
  align?: ComponentProps<typeof TooltipPrimitive.Content>["align"];
  /** Hides the tooltip without changing the tree. */
  disabled?: boolean;
  className?: string;
  /** A focusable element; its own name must not depend on the tooltip. */
  children: ReactElement;
};

/** A short text next to a control, shown on hover and on keyboard focus. */
export function Tooltip({ content, side = "top", align, disabled = false, className, children }: TooltipProps) {
  return (
    <TooltipPrimitive.Provider delayDuration={300}>
      <TooltipPrimitive.Root open={disabled ? false : undefined}>
        <TooltipPrimitive.Trigger asChild>{children}</TooltipPrimitive.Trigger>
        <TooltipPrimitive.Portal>
          <TooltipPrimitive.Content
            data-slot="tooltip-content"
            side={side}
            align={align}
            sideOffset={6}
            collisionPadding={8}
            className={cn(
              "z-60 max-w-72 text-balance rounded-md bg-foreground px-2 py-1 text-background text-xs leading-4.5",
              "data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in",
              className,
            )}
          >
            {content}
          </TooltipPrimitive.Content>
        </TooltipPrimitive.Portal>
      </TooltipPrimitive.Root>
    </TooltipPrimitive.Provider>
  );
}
