"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { searchApps } from "@/components/common/apps/search-apps";
import { SearchSelect } from "@/components/common/search-select";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { Spinner } from "@/components/ui/spinner";
import { query } from "@/lib/client/client";
import { useNotifiedCall } from "@/lib/client/use-operation";
import { ChosenAppHeading } from "./chosen-app-heading";
import type { ChosenGroup } from "./permission-form";

type Named = { id: string; name: string };

/** The groups of an application that are listed: as many as an answer has. */
const LISTED_GROUPS = 100;

export type GroupsPickerProps = {
  value: readonly ChosenGroup[];
  onChange: (groups: ChosenGroup[]) => void;
  error?: string;
};

/** Selects groups of testers, by their applications. */
export function GroupsPicker({ value, onChange, error }: GroupsPickerProps) {
  const t = useTranslations("permissions");
  const id = useId();
  const [apps, setApps] = useState<readonly Named[]>(() => [
    ...new Map(value.map(({ app }) => [app.id, app] as const)).values(),
  ]);
  return (
    <div className="flex flex-col gap-2.5">
      {apps.map((app) => (
        <GroupsOfApp
          key={app.id}
          app={app}
          chosen={value.filter((group) => group.app.id === app.id)}
          onChange={(groups) => onChange([...value.filter((group) => group.app.id !== app.id), ...groups])}
          onRemove={() => {
            setApps(apps.filter((other) => other.id !== app.id));
            onChange(value.filter((group) => group.app.id !== app.id));
          }}
        />
      ))}
      <SearchSelect
        id={`${id}-add`}
        aria-label={t("addApp")}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-error`}
        label={t("addApp")}
        option={null}
        placeholder={t("addApp")}
        icon={<Plus aria-hidden className="size-4 shrink-0" />}
        onChange={({ value: appId, label }) =>
          setApps(apps.some((app) => app.id === appId) ? apps : [...apps, { id: appId, name: label }])
        }
        search={searchApps}
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

/** The groups of an application, or the state of loading them. */
function useGroups(appId: string): { groups: readonly Named[] | "loading" | "failed"; retry: () => void } {
  const [groups, setGroups] = useState<readonly Named[] | "loading" | "failed">("loading");
  const notified = useNotifiedCall();
  useEffect(() => {
    if (groups !== "loading") return;
    const controller = new AbortController();
    const store = (found: readonly Named[] | "failed") => {
      if (!controller.signal.aborted) setGroups(found);
    };
    const { signal } = controller;
    notified(() => query("testers/get-tester-groups", { appId, limit: LISTED_GROUPS }, { signal })).then(
      (found) => store(found?.items ?? "failed"),
      () => store("failed"),
    );
    return () => controller.abort();
  }, [appId, groups, notified]);
  return { groups, retry: () => setGroups("loading") };
}

type GroupsOfAppProps = {
  app: Named;
  chosen: readonly ChosenGroup[];
  onChange: (groups: ChosenGroup[]) => void;
  onRemove: () => void;
};

function GroupsOfApp({ app, chosen, onChange, onRemove }: GroupsOfAppProps) {
  const t = useTranslations("permissions");
  const common = useTranslations("common");
  const id = useId();
  const { groups, retry } = useGroups(app.id);
  const isChosen = (groupId: string) => chosen.some((group) => group.id === groupId);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5 rounded-lg border border-border px-3 pt-2 pb-3">
      <legend className="sr-only">{t("groupsOf", { name: app.name })}</legend>
      <ChosenAppHeading name={app.name} onRemove={onRemove} />
      {groups === "loading" && <Spinner className="text-muted-foreground" />}
      {groups === "failed" && (
        <Button variant="secondary" size="sm" className="w-fit" onClick={retry}>
          {common("retry")}
        </Button>
      )}
      {typeof groups === "object" && (
        <div className="flex flex-wrap gap-x-5 gap-y-2.5">
          {groups.length === 0 && <p className="text-muted-foreground">{t("noGroups")}</p>}
          {groups.map((group) => (
            <div key={group.id} className="flex min-w-0 items-center gap-2">
              <Checkbox
                id={`${id}-${group.id}`}
                checked={isChosen(group.id)}
                onCheckedChange={(checked) =>
                  onChange(
                    checked === true
                      ? [...chosen, { id: group.id, name: group.name, app }]
                      : chosen.filter((other) => other.id !== group.id),
                  )
                }
              />
              <Label htmlFor={`${id}-${group.id}`} className="min-w-0 break-words font-normal">
                {group.name}
              </Label>
            </div>
          ))}
        </div>
      )}
    </fieldset>
  );
}
