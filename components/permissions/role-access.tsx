"use client";

import { Check, Plus, Quote, SlidersHorizontal, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useId, useMemo, useState, useTransition } from "react";
import { searchApps } from "@/components/common/apps/search-apps";
import { useAppEnvironments } from "@/components/common/apps/use-app-environments";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { usePlainWords } from "@/components/common/permissions/plain-words";
import { SearchSelect } from "@/components/common/search-select";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import { useDialog } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Spinner } from "@/components/ui/spinner";
import { command } from "@/lib/client/client";
import { showInPlace } from "@/lib/client/shown-problems";
import { useOperation } from "@/lib/client/use-operation";
import { MAX_APPS } from "@/lib/features/permissions/rules";
import type { RolePermission } from "@/lib/features/permissions/schema";
import { PRESETS, type Preset } from "@/lib/permissions/presets";
import { type Scope, withImplied } from "@/lib/permissions/scopes";
import {
  type Access,
  type AccessPlace,
  accessOf,
  afterPress,
  changesBetween,
  EVERYWHERE,
  includesPreset,
  inheritedScopes,
  keyOf,
  levelOf,
  placeOf,
} from "./access-draft";
import { AddGroupsButton, PermissionMenu } from "./permission-actions";

const CustomAccessDialog = lazyDialog(() => import("./custom-access-dialog").then((file) => file.CustomAccessDialog));

type Named = { id: string; name: string };

export type RoleAccessProps = {
  role: Named;
  permissions: readonly RolePermission[];
};

/**
 * What a role may do, as a table: a row for each application and environment, a column for each preset. Changes are
 * collected and saved together.
 */
export function RoleAccess({ role, permissions }: RoleAccessProps) {
  // After a change elsewhere, the draft starts again from what is stored. Permissions for groups are not part of it.
  const version = permissions
    .filter(({ groups }) => groups.length === 0)
    .map(({ id, updatedAt }) => `${id} ${updatedAt}`)
    .join();
  return <AccessEditor key={version} role={role} permissions={permissions} />;
}

function AccessEditor({ role, permissions }: RoleAccessProps) {
  const t = useTranslations("people.access");
  const common = useTranslations("common");
  const router = useRouter();
  const notifyUndoable = useUndo();
  const id = useId();
  const update = useOperation("permissions/update-role-access");
  // Until the page shows what was saved, with which the draft starts again, nothing is changed that would be lost.
  const [refreshing, refresh] = useTransition();
  const isSaving = update.pending || refreshing;
  const stored = useMemo(() => accessOf(permissions), [permissions]);
  const [draft, setDraft] = useState<Access>(stored);
  const [apps, setApps] = useState<readonly Named[]>(() => namedApps(permissions));
  const [failure, setFailure] = useState<{ title: string; detail: string } | null>(null);
  const ofGroups = useMemo(() => permissions.filter(({ groups }) => groups.length > 0), [permissions]);
  const changes = changesBetween(stored, draft);
  useUnsavedInput(changes.length > 0);
  const { environmentsOf, retry } = useAppEnvironments(apps.map((app) => app.id));

  const set = (place: AccessPlace, scopes: readonly Scope[]) => {
    const next = new Map(draft);
    if (scopes.length === 0) next.delete(keyOf(place));
    else next.set(keyOf(place), scopes);
    setDraft(next);
  };

  const save = async () => {
    setFailure(null);
    const result = await update.run({ roleId: role.id, places: changes });
    if (result.ok) {
      const places = changes.map(({ scopes, expected, ...place }) => ({
        ...place,
        scopes: expected,
        expected: scopes,
      }));
      const undo = async () => {
        const undone = await command("permissions/update-role-access", { roleId: role.id, places });
        // If the page was not refreshed since the change, the version stays the same and the draft does not start again.
        setDraft(stored);
        return undone;
      };
      notifyUndoable(t("saved", { role: role.name }), undo);
      refresh(() => router.refresh());
    } else {
      showInPlace(result.problem);
      setFailure({ title: result.problem.title, detail: result.problem.errors[0]?.message ?? result.problem.detail });
    }
  };

  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-3">
      <h2 id={`${id}-title`} className="font-semibold text-base tracking-tight">
        {t("title")}
      </h2>
      <div className="overflow-hidden rounded-lg border border-border bg-card">
        <PresetHead />
        <fieldset disabled={isSaving} className="min-w-0 divide-y divide-border">
          <PlaceRow
            place={EVERYWHERE}
            name={t("everywhere")}
            hint={t("everywhereHint")}
            access={draft}
            onChange={set}
          />
          {apps.map((app) => {
            const environments = environmentsOf(app.id);
            return (
              <div key={app.id} className="divide-y divide-border">
                <PlaceRow
                  place={{ appId: app.id, environmentId: null }}
                  name={app.name}
                  hint={t("wholeApp")}
                  access={draft}
                  onChange={set}
                />
                {environments === "loading" && (
                  <div className="px-4 py-2.5">
                    <Spinner className="text-muted-foreground" />
                  </div>
                )}
                {environments === "failed" && (
                  <div className="px-4 py-2.5">
                    <Button variant="secondary" size="sm" onClick={retry}>
                      {common("retry")}
                    </Button>
                  </div>
                )}
                {typeof environments === "object" &&
                  environments.map((environment) => (
                    <PlaceRow
                      key={environment.id}
                      place={{ appId: app.id, environmentId: environment.id }}
                      name={environment.name}
                      label={`${app.name} · ${environment.name}`}
                      access={draft}
                      onChange={set}
                      nested
                    />
                  ))}
              </div>
            );
          })}
          {ofGroups.map((permission) => (
            <GroupsRow key={permission.id} permission={permission} />
          ))}
          <div className="flex flex-wrap items-center gap-2 px-4 py-3 max-lg:flex-col max-lg:items-stretch">
            {apps.length < MAX_APPS && (
              <div className="lg:w-80">
                <SearchSelect
                  id={`${id}-add`}
                  aria-label={t("addApp")}
                  label={t("addApp")}
                  option={null}
                  placeholder={t("addApp")}
                  icon={<Plus aria-hidden className="size-4 shrink-0" />}
                  onChange={({ value, label }) =>
                    setApps(apps.some((app) => app.id === value) ? apps : [...apps, { id: value, name: label }])
                  }
                  search={searchApps}
                />
              </div>
            )}
            <AddGroupsButton role={role} />
          </div>
        </fieldset>
        <Sentences role={role} access={draft} apps={apps} ofGroups={ofGroups} environmentsOf={environmentsOf} />
        {changes.length > 0 && (
          <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-border border-t bg-card px-4 py-3 max-lg:bottom-17">
            {failure && (
              <Alert tone="danger" title={failure.title} className="w-full">
                {failure.detail}
              </Alert>
            )}
            <p role="status" className="mr-auto text-muted-foreground">
              {t("unsaved", { count: changes.length })}
            </p>
            <Button variant="secondary" disabled={isSaving} onClick={() => setDraft(stored)}>
              {t("discard")}
            </Button>
            <Button loading={isSaving} onClick={() => void save()}>
              {t("save")}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

const GRID = "lg:grid lg:gap-2 lg:grid-cols-[minmax(0,3fr)_repeat(4,minmax(5rem,1fr))_8.5rem] lg:items-center";

/** The names of the columns; on phones, the buttons have them. */
function PresetHead() {
  const t = useTranslations("people.access");
  const presets = useTranslations("presets");
  return (
    <div aria-hidden className={cn("hidden border-border border-b px-4 py-2 font-medium text-muted-foreground", GRID)}>
      <span>{t("place")}</span>
      {PRESETS.map((preset) => (
        <span key={preset} className="text-center">
          {presets(`${preset}.name`)}
        </span>
      ))}
      <span />
    </div>
  );
}

type PlaceRowProps = {
  place: AccessPlace;
  name: string;
  /** The full name, with that of the application. */
  label?: string;
  hint?: string;
  access: Access;
  onChange: (place: AccessPlace, scopes: readonly Scope[]) => void;
  nested?: boolean;
};

function PlaceRow({ place, name, label = name, hint, access, onChange, nested = false }: PlaceRowProps) {
  const t = useTranslations("people.access");
  const custom = useDialog();
  const scopes = access.get(keyOf(place)) ?? [];
  const inherited = inheritedScopes(access, place);
  const level = levelOf(scopes);
  return (
    <fieldset className={cn("flex flex-col gap-2 px-4 py-2.5", GRID, nested && "bg-muted/40")}>
      <legend className="sr-only">{label}</legend>
      <div aria-hidden className={cn("flex min-w-0 flex-col", nested && "lg:pl-5")}>
        <span className={cn("truncate", !nested && "font-medium")} title={name}>
          {name}
        </span>
        {hint && <span className="text-muted-foreground text-xs leading-4.5">{hint}</span>}
      </div>
      <div className="contents max-lg:grid max-lg:grid-cols-2 max-lg:gap-2">
        {PRESETS.map((preset) => (
          <PresetButton
            key={preset}
            preset={preset}
            scopes={scopes}
            inherited={inherited}
            onPress={() => onChange(place, afterPress(scopes, preset))}
          />
        ))}
      </div>
      <div className="flex items-center gap-1 lg:justify-end">
        <Button
          variant="ghost"
          size="sm"
          loading={custom.pending}
          onClick={custom.show}
          className="text-muted-foreground"
        >
          <SlidersHorizontal aria-hidden />
          {level === "custom" ? t("customCount", { count: withImplied(scopes).length }) : t("custom")}
          <span className="sr-only">: {label}</span>
        </Button>
        {scopes.length > 0 && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("clear", { name: label })}
            onClick={() => onChange(place, [])}
            className="text-muted-foreground hover:text-danger"
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
      <OpenedDialog state={custom}>
        {(dialog) => (
          <CustomAccessDialog name={label} scopes={scopes} onApply={(next) => onChange(place, next)} {...dialog} />
        )}
      </OpenedDialog>
    </fieldset>
  );
}

/** A permission for the releases of groups. It has no presets, and its dialog changes it. */
function GroupsRow({ permission }: { permission: RolePermission }) {
  const t = useTranslations("permissions");
  const format = useFormatter();
  const groups = permission.groups.map(({ name, app }) => t("plain.groupOfApp", { group: name, app: app.name }));
  return (
    <div className="flex items-center gap-2 px-4 py-2.5">
      <div className="flex min-w-0 grow flex-col">
        <span className="break-words font-medium">
          {t("releasesOf", { count: groups.length, groups: format.list(groups) })}
        </span>
        <span className="text-muted-foreground text-xs leading-4.5">{t("groupsHint")}</span>
      </div>
      <PermissionMenu permission={permission} />
    </div>
  );
}

type PresetButtonProps = {
  preset: Preset;
  scopes: readonly Scope[];
  inherited: readonly Scope[];
  onPress: () => void;
};

/** The button of a preset at a place. It is checked if the place has everything that the preset includes. */
function PresetButton({ preset, scopes, inherited, onPress }: PresetButtonProps) {
  const t = useTranslations("people.access");
  const presets = useTranslations("presets");
  const isInherited = includesPreset(inherited, preset);
  const isHeld = includesPreset([...scopes, ...inherited], preset);
  return (
    <button
      type="button"
      aria-pressed={isHeld}
      disabled={isInherited}
      title={isInherited ? t("inherited") : undefined}
      onClick={onPress}
      className={cn(
        "flex h-11 items-center gap-2 rounded-md border border-input px-3 transition-colors lg:mx-auto lg:size-8 lg:justify-center lg:p-0",
        "not-disabled:hover:border-muted-foreground",
        isHeld && !isInherited && "border-primary bg-primary text-primary-foreground",
        isInherited && "border-transparent bg-muted text-muted-foreground",
        // While the access is being saved.
        !isInherited && "disabled:opacity-50",
      )}
    >
      <Check aria-hidden className={cn("size-4 shrink-0", !isHeld && "invisible")} />
      <span className="lg:sr-only">{presets(`${preset}.name`)}</span>
      {isInherited && <span className="sr-only">({t("inherited")})</span>}
    </button>
  );
}

type SentencesProps = {
  role: Named;
  access: Access;
  apps: readonly Named[];
  /** The permissions for the releases of groups, which are edited one by one. */
  ofGroups: readonly RolePermission[];
  environmentsOf: ReturnType<typeof useAppEnvironments>["environmentsOf"];
};

/** The access in plain words: one sentence for each set of scopes. */
function Sentences({ role, access, apps, ofGroups, environmentsOf }: SentencesProps) {
  const t = useTranslations("people.access");
  const permissions = useTranslations("permissions");
  const inWords = usePlainWords();
  const groups = Map.groupBy(access, ([, scopes]) => withImplied(scopes).join());
  const inPlaces = [...groups.values()].flatMap((entries) => {
    const scopes = entries[0]?.[1] ?? [];
    const places = entries.map(([key]) => placeOf(key));
    const named = apps.flatMap((app): (Named & { environments: "all" | readonly Named[] })[] => {
      const ofApp = places.filter(({ appId }) => appId === app.id);
      if (ofApp.length === 0) return [];
      if (ofApp.some(({ environmentId }) => environmentId === null)) {
        return [{ ...app, environments: "all" }];
      }
      const environments = environmentsOf(app.id);
      const known = typeof environments === "object" ? environments : [];
      const chosen = known.filter((environment) => ofApp.some(({ environmentId }) => environmentId === environment.id));
      return chosen.length > 0 ? [{ ...app, environments: chosen }] : [];
    });
    const isEverywhere = places.some(({ appId }) => appId === null);
    return [
      ...(isEverywhere ? [inWords({ role, scopes, apps: "all" })] : []),
      ...(named.length > 0 ? [inWords({ role, scopes, apps: named })] : []),
    ];
  });
  const sentences = [...inPlaces, ...ofGroups.map((permission) => inWords(permission))];
  return (
    <div className="flex items-start gap-2.5 border-border border-t bg-muted px-4 py-2.5">
      <Quote aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="font-medium text-muted-foreground text-xs leading-4.5">{permissions("preview")}</p>
        <output className="flex flex-col gap-1 text-pretty break-words leading-5">
          {sentences.length === 0
            ? t("none", { role: role.name })
            : sentences.map((text) => <span key={text}>{text}</span>)}
        </output>
      </div>
    </div>
  );
}

/** The applications that permissions name, each once. */
function namedApps(permissions: readonly RolePermission[]): Named[] {
  const apps = new Map<string, Named>();
  for (const permission of permissions) {
    if (permission.apps === "all") continue;
    for (const { id, name } of permission.apps) apps.set(id, { id, name });
  }
  return [...apps.values()].sort((a, b) => a.name.localeCompare(b.name));
}
