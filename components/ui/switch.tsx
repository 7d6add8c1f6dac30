"use client";

import { Switch as SwitchPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A switch of a form: on or off. */
export function Switch({ className, ...props }: ComponentProps<typeof SwitchPrimitive.Root>) {
  return (
    <SwitchPrimitive.Root
      data-slot="switch"
      className={cn(
        "relative inline-flex h-5.5 w-9.5 shrink-0 items-center rounded-full bg-input transition-colors lg:h-5 lg:w-8.5",
        "before:-inset-x-1.5 before:-inset-y-3 before:absolute before:content-['']",
        "disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
    >
      <SwitchPrimitive.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-white transition-transform data-[state=checked]:translate-x-4.5 lg:size-4 lg:data-[state=checked]:translate-x-4" />
    </SwitchPrimitive.Root>
  );
}
