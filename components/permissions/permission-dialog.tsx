"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { type Control, useController, useWatch } from "react-hook-form";
import type { ConflictField } from "@/components/common/form/edit-conflict";
import { storedBefore } from "@/components/common/form/edit-conflict";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { findListed } from "@/components/common/form/find-listed";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { usePlainWords } from "@/components/common/permissions/plain-words";
import { PlainWordsNote } from "@/components/common/permissions/plain-words-note";
import { RoleField } from "@/components/common/permissions/role-field";
import { ScopePicker } from "@/components/common/permissions/scope-picker";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { FieldError } from "@/components/ui/field";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { command, query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import type { RolePermission } from "@/lib/features/permissions/schema";
import { GROUP_SCOPES, isGroupScope, type Scope } from "@/lib/permissions/scopes";
import { AppsPicker } from "./apps-picker";
import { firstMessage } from "./first-message";
import { GroupsPicker } from "./groups-picker";
import { type PermissionForm, permissionFormSchema } from "./permission-form";
import { reachInForm, toPermissionForm, toPermissionInput } from "./permission-values";

export type PermissionDialogProps = DialogProps & {
  /** The permission to change; if omitted, one is added. */
  permission?: RolePermission;
  /** The role that a permission for the releases of groups is added to; if omitted, any role and any permission. */
  groupsOfRole?: { id: string; name: string };
};

/** Adds a permission or changes one. The dialog says in plain words what the role will be able to do. */
export function PermissionDialog({ open, onOpenChange, permission, groupsOfRole }: PermissionDialogProps) {
  const t = useTranslations("permissions");
  const notifyUndoable = useUndo();
  const create = useOperation("permissions/create-role-permission");
  const update = useOperation("permissions/update-role-permission", { quiet: ["conflict"] });
  const [roles, setRoles] = useState(() => [permission?.role ?? groupsOfRole ?? []].flat());
  const form = useZodForm(permissionFormSchema, { defaultValues: toPermissionForm(permission, groupsOfRole?.id) });
  const { control } = form;
  const roleId = useWatch({ control, name: "roleId" });
  const role = roles.findLast(({ id }) => id === roleId);

  const load = async () => {
    if (!permission) return null;
    const stored = await findListed(permission.id, (page) =>
      query("permissions/get-role-permissions", { sort: "-updatedAt", ...page }),
    );
    if (stored) setRoles((known) => [...known, stored.role]);
    return stored && { updatedAt: stored.updatedAt, values: toPermissionForm(stored) };
  };
  const conflict = useEditConflict({ form, updatedAt: permission?.updatedAt, load, fields: useConflictFields(roles) });

  const submit = async (values: PermissionForm) => {
    const input = toPermissionInput(values);
    const result = await conflict.save((ifUpdatedAt) =>
      permission ? update.run({ id: permission.id, ifUpdatedAt, ...input }) : create.run(input),
    );
    if (!result.ok) return result;
    const { id, updatedAt, role } = result.data;
    const before = storedBefore(form);
    // An empty selection would mean all of them.
    const previous = permission && reachInForm(before) !== null ? toPermissionInput(before) : null;
    const undo = () =>
      permission && previous
        ? command("permissions/update-role-permission", { id, ...previous, expected: { updatedAt } })
        : command("permissions/delete-role-permission", { id, expected: { updatedAt } });
    const undoable = !permission || previous !== null;
    notifyUndoable(t(permission ? "updated" : "created", { name: role.name }), undoable ? undo : undefined);
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={permission ? t("update", { name: permission.role.name }) : t("create")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t(permission ? "save" : "create")}
      summary={<InPlainWords control={control} role={role} />}
    >
      <EditConflictNotice form={form} conflict={conflict} />
      <RoleField
        key={conflict.choices}
        control={control}
        name="roleId"
        label={t("role")}
        role={role}
        ordinary
        onChoose={(chosen) => setRoles((known) => [...known, chosen])}
      />
      <ScopesPart control={control} />
      <PlacesPart control={control} />
    </FormDialog>
  );
}

/** The fields that two people may have changed. */
function useConflictFields(roles: readonly { id: string; name: string }[]): ConflictField<PermissionForm>[] {
  const t = useTranslations("permissions");
  const scopes = useTranslations("scopes");
  const reaches = { all: t("allApps"), some: t("someApps"), groups: t("groups") };
  return [
    { name: "roleId", label: t("role"), show: (id) => roles.findLast((role) => role.id === id)?.name ?? "" },
    {
      name: "scopes",
      label: t("scopes"),
      show: (chosen) => (chosen as Scope[]).map((scope) => scopes(scope)).join("\n"),
    },
    { name: "reach", label: t("apps"), show: (reach) => reaches[reach as PermissionForm["reach"]] },
    {
      name: "apps",
      label: t("someApps"),
      show: (apps) =>
        (apps as PermissionForm["apps"])
          .map(({ name, reach, environments }) =>
            reach === "all" ? name : `${name}: ${environments.map((environment) => environment.name).join(", ")}`,
          )
          .join("\n"),
    },
    {
      name: "groups",
      label: t("groups"),
      show: (groups) => (groups as PermissionForm["groups"]).map(({ name, app }) => `${app.name}: ${name}`).join("\n"),
    },
  ];
}

type PartProps = { control: Control<PermissionForm, unknown, PermissionForm> };

function ScopesPart({ control }: PartProps) {
  const t = useTranslations("permissions");
  const id = useId();
  const { field, fieldState } = useController({ control, name: "scopes" });
  const reach = useWatch({ control, name: "reach" });
  const error = firstMessage(fieldState.error);
  return (
    <fieldset
      aria-describedby={`${id}-error`}
      aria-invalid={error ? true : undefined}
      className="flex min-w-0 flex-col gap-2.5"
    >
      <legend className="mb-2 font-medium leading-5">{t("scopes")}</legend>
      <ScopePicker
        value={field.value}
        onChange={field.onChange}
        choices={reach === "groups" ? GROUP_SCOPES : undefined}
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}

function PlacesPart({ control }: PartProps) {
  const t = useTranslations("permissions");
  const id = useId();
  const { field: reach } = useController({ control, name: "reach" });
  const { field: apps, fieldState } = useController({ control, name: "apps" });
  const { field: groups, fieldState: groupsState } = useController({ control, name: "groups" });
  const errors = fieldState.error as unknown;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2.5">
      <legend className="mb-2 font-medium leading-5">{t("apps")}</legend>
      <RadioGroup aria-label={t("apps")} value={reach.value} onValueChange={reach.onChange}>
        <div className="flex items-start gap-2">
          <RadioGroupItem id={`${id}-all`} value="all" className="mt-0.5" aria-describedby={`${id}-hint`} />
          <div className="flex flex-col">
            <Label htmlFor={`${id}-all`} className="font-normal">
              {t("allApps")}
            </Label>
            <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-4.5">
              {t("allAppsHint")}
            </p>
          </div>
        </div>
        <div className="flex items-center gap-2">
          <RadioGroupItem id={`${id}-some`} value="some" />
          <Label htmlFor={`${id}-some`} className="font-normal">
            {t("someApps")}
          </Label>
        </div>
        <div className="flex items-start gap-2">
          <RadioGroupItem
            id={`${id}-groups`}
            value="groups"
            className="mt-0.5"
            aria-describedby={`${id}-groups-hint`}
          />
          <div className="flex flex-col">
            <Label htmlFor={`${id}-groups`} className="font-normal">
              {t("groups")}
            </Label>
            <p id={`${id}-groups-hint`} className="text-muted-foreground text-xs leading-4.5">
              {t("groupsHint")}
            </p>
          </div>
        </div>
      </RadioGroup>
      {reach.value === "groups" && (
        <GroupsPicker value={groups.value} onChange={groups.onChange} error={firstMessage(groupsState.error)} />
      )}
      {reach.value === "some" && (
        <AppsPicker
          value={apps.value}
          onChange={apps.onChange}
          error={Array.isArray(errors) ? undefined : firstMessage(errors)}
          errorOf={(index) => (Array.isArray(errors) ? firstMessage(errors[index]) : undefined)}
        />
      )}
    </fieldset>
  );
}

function InPlainWords({ control, role }: PartProps & { role: { name: string } | undefined }) {
  const t = useTranslations("permissions");
  const inWords = usePlainWords();
  const [chosen, reach, apps, groups] = useWatch({ control, name: ["scopes", "reach", "apps", "groups"] });
  const places = reachInForm({ reach, apps, groups });
  const scopes = reach === "groups" ? chosen.filter(isGroupScope) : chosen;
  const complete = role && scopes.length > 0 && places;
  return (
    <PlainWordsNote label={t("preview")}>
      {complete ? inWords({ role, scopes, ...places }) : t("previewMissing")}
    </PlainWordsNote>
  );
}
