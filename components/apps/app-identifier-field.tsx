"use client";

import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { UseFormReturn } from "react-hook-form";
import type { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { Input } from "@/components/ui/input";
import { type createAppInput, identifierSchema, MAX_IDENTIFIER } from "@/lib/features/apps/schema";

export type AppIdentifierFieldProps = {
  form: UseFormReturn<z.input<typeof createAppInput>, unknown, z.output<typeof createAppInput>>;
};

/** The bundle ID or package name. Its format is checked as soon as it has been typed. */
export function AppIdentifierField({ form }: AppIdentifierFieldProps) {
  const t = useTranslations("apps");
  const { control, trigger, formState } = form;
  const invalid = formState.errors.identifier !== undefined;
  return (
    <FormField control={control} name="identifier" label={t("identifier")} hint={t("identifierHint")}>
      {({ onBlur, onChange, ...field }) => {
        const valid = !invalid && identifierSchema.safeParse(field.value).success;
        return (
          <div className="relative">
            <Input
              {...field}
              placeholder="com.acme.app"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={MAX_IDENTIFIER}
              className="pr-9 font-mono lg:text-[0.8125rem]"
              onBlur={() => {
                onBlur();
                if (field.value.trim() !== "") void trigger("identifier");
              }}
              onChange={(event) => {
                onChange(event);
                if (invalid) void trigger("identifier");
              }}
            />
            <span
              role="status"
              className="pointer-events-none absolute inset-y-0 right-0 flex w-9 items-center justify-center"
            >
              {valid && (
                <>
                  <Check aria-hidden className="size-4 text-success" />
                  <span className="sr-only">{t("identifierValid")}</span>
                </>
              )}
            </span>
          </div>
        );
      }}
    </FormField>
  );
}
