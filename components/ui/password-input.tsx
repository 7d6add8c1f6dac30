"use client";

import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ComponentProps, useState } from "react";
import { cn } from "./cn";
import { Input } from "./input";

/** A password field with a button that reveals the text. */
export function PasswordInput({ className, disabled, ...props }: Omit<ComponentProps<"input">, "type">) {
  const t = useTranslations("common");
  const [revealed, setRevealed] = useState(false);
  const Icon = revealed ? EyeOff : Eye;
  return (
    <div data-slot="password-input" className="relative">
      <Input
        type={revealed ? "text" : "password"}
        disabled={disabled}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className={cn("pr-11 lg:pr-9", className)}
        {...props}
      />
      <button
        type="button"
        disabled={disabled}
        aria-pressed={revealed}
        aria-label={t("showPassword")}
        onClick={() => setRevealed((current) => !current)}
        className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-r-lg text-muted-foreground hover:text-foreground focus-visible:outline-offset-[-2px] disabled:opacity-50 lg:w-8"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
