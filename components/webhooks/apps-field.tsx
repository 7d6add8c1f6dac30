"use client";

import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { searchApps } from "@/components/common/apps/search-apps";
import { AllOrSomeField } from "@/components/common/form/all-or-some-field";
import { RowButton } from "@/components/common/row-button";
import { SearchSelect } from "@/components/common/search-select";
import { FieldError } from "@/components/ui/field";
import { query } from "@/lib/client/client";

/** The names of applications by their IDs, as far as they are loaded. */
export function useAppNames(ids: readonly string[]) {
  const [names, setNames] = useState<Record<string, string>>({});
  const missing = ids.filter((id) => !(id in names)).join(" ");
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    for (const id of missing.split(" ").filter(Boolean)) {
      query("apps/get-app", { id }, { signal }).then(
        ({ name }) => setNames((known) => ({ ...known, [id]: name })),
        // A deleted application keeps its ID as its name.
        () => {},
      );
    }
    return () => controller.abort();
  }, [missing]);
  const remember = (id: string, name: string) => setNames((known) => ({ ...known, [id]: name }));
  return { names, remember };
}

export type AppsFieldProps = {
  /** Null for all applications. */
  value: readonly string[] | null;
  onChange: (appIds: string[] | null) => void;
  error?: string;
};

/** Selects the applications whose events a webhook receives. */
export function AppsField({ value, onChange, error }: AppsFieldProps) {
  const t = useTranslations("webhooks");
  const id = useId();
  const chosen = value ?? [];
  const { names, remember } = useAppNames(chosen);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5" aria-describedby={`${id}-error`}>
      <legend className="mb-1.5 font-medium">{t("apps")}</legend>
      <AllOrSomeField
        label={t("apps")}
        value={value === null ? "all" : "some"}
        onChange={(reach) => onChange(reach === "all" ? null : [])}
        texts={{ all: t("allApps"), some: t("someApps") }}
      />
      {chosen.map((appId) => {
        const name = names[appId] ?? appId;
        return (
          <div
            key={appId}
            className="flex items-center justify-between gap-2 rounded-lg border border-border py-1 pl-3 pr-1.5"
          >
            <span className="truncate">{name}</span>
            <RowButton
              label={t("removeApp", { name })}
              icon={<X aria-hidden />}
              onClick={() => onChange(chosen.filter((other) => other !== appId))}
            />
          </div>
        );
      })}
      {value !== null && (
        <SearchSelect
          id={`${id}-add`}
          aria-label={t("addApp")}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-error`}
          label={t("addApp")}
          option={null}
          placeholder={t("addApp")}
          icon={<Plus aria-hidden className="size-4 shrink-0" />}
          onChange={({ value: appId, label }) => {
            remember(appId, label);
            if (!chosen.includes(appId)) onChange([...chosen, appId]);
          }}
          search={searchApps}
        />
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
