"use client";

import { Apple, Bot, Server } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import type { TokenPurpose } from "./token-place";
import { TOKEN_PURPOSES } from "./token-purpose";

const ICONS = { server: Server, ios: Apple, android: Bot };

export type PurposeTilesProps = { value: TokenPurpose; onChange: (purpose: TokenPurpose) => void };

/** The first question about a token: who uses it. */
export function PurposeTiles({ value, onChange }: PurposeTilesProps) {
  const t = useTranslations("apiTokens.purposes");
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="mb-2 font-medium leading-5">{t("question")}</legend>
      <RadioGroup
        aria-label={t("question")}
        value={value}
        onValueChange={(next) => onChange(next as TokenPurpose)}
        className="grid gap-2 sm:grid-cols-3"
      >
        {TOKEN_PURPOSES.map((purpose) => {
          const Icon = ICONS[purpose];
          return (
            <label
              key={purpose}
              htmlFor={`${id}-${purpose}`}
              className="flex cursor-pointer gap-2.5 rounded-lg border border-border p-3 transition-colors hover:bg-accent has-data-[state=checked]:border-primary has-data-[state=checked]:bg-muted sm:flex-col"
            >
              <span className="contents items-center justify-between gap-2 sm:flex">
                <Icon aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
                <RadioGroupItem
                  id={`${id}-${purpose}`}
                  value={purpose}
                  className="max-sm:order-last max-sm:ml-auto"
                  aria-labelledby={`${id}-${purpose}-name`}
                  aria-describedby={`${id}-${purpose}-hint`}
                />
              </span>
              <span className="flex min-w-0 flex-col gap-0.5">
                <span id={`${id}-${purpose}-name`} className="font-medium">
                  {t(`${purpose}.name`)}
                </span>
                <span id={`${id}-${purpose}-hint`} className="text-pretty text-muted-foreground text-xs leading-4.5">
                  {t(`${purpose}.hint`)}
                </span>
              </span>
            </label>
          );
        })}
      </RadioGroup>
    </fieldset>
  );
}
