"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Control, useWatch } from "react-hook-form";
import { z } from "zod";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { storedBefore } from "@/components/common/form/edit-conflict";
import { EditConflictNotice, useEditConflict } from "@/components/common/form/edit-conflict-notice";
import { FormField } from "@/components/common/form/form-field";
import { StatusField } from "@/components/common/form/status-field";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useStatusConflict } from "@/components/common/form/use-status-conflict";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { fullName } from "@/components/common/full-name";
import { RoleField } from "@/components/common/permissions/role-field";
import { roleLabel } from "@/components/common/permissions/role-label";
import { leaveAfterSignOut } from "@/components/common/session/leave";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Alert } from "@/components/ui/alert";
import { Input } from "@/components/ui/input";
import { command, query } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { providerSchema } from "@/lib/features/auth/schema";
import { type AdministeredUser, registerUserInput } from "@/lib/features/users/schema";
import { SUPER_ADMIN } from "@/lib/permissions/actor";

/** The values of the form: the input of register-user, with specific error texts for the selections. */
const userFormSchema = registerUserInput.extend({
  roleId: z.string().refine(Boolean, { error: "roleRequired" }),
  provider: z.custom<z.output<typeof providerSchema>>((value) => providerSchema.safeParse(value).success, {
    error: "providerRequired",
  }),
});

type UserForm = z.input<typeof userFormSchema>;
type CheckedUserForm = z.output<typeof userFormSchema>;
type PartProps = { control: Control<UserForm, unknown, CheckedUserForm> };

export type UpdateUserDialogProps = DialogProps & {
  user: AdministeredUser;
  /** Whether the user is the signed-in one. */
  isSelf: boolean;
};

/** Changes a user. Administrators who are about to give up their own access are asked to confirm. */
export function UpdateUserDialog({ user, isSelf, open, onOpenChange }: UpdateUserDialogProps) {
  const t = useTranslations("users");
  const person = useTranslations("profile");
  const roleTexts = useTranslations("roles");
  const router = useRouter();
  const update = useOperation("auth/update-user", { quiet: ["conflict"] });
  const notifyUndoable = useUndo();
  const [resolveConfirmation, setResolveConfirmation] = useState<((confirmed: boolean) => void) | null>(null);
  const { id, firstNames, lastNames, email, team, role, provider, status } = user;
  const form = useZodForm(userFormSchema, {
    defaultValues: { firstNames, lastNames, email, team: team ?? "", roleId: role.id, provider, status },
  });
  const { control } = form;
  const [roleId, newStatus] = useWatch({ control, name: ["roleId", "status"] });
  const selfLoss = !isSelf
    ? null
    : newStatus === "inactive"
      ? "switchOff"
      : role.name === SUPER_ADMIN && roleId !== role.id
        ? "demote"
        : null;

  const [roles, setRoles] = useState([role]);
  const load = async () => {
    const stored = await query("auth/get-user", { id });
    const { updatedAt, firstNames, lastNames, team, status } = stored;
    setRoles((known) => [...known, stored.role]);
    return { updatedAt, values: { firstNames, lastNames, team: team ?? "", roleId: stored.role.id, status } };
  };
  const statusField = useStatusConflict();
  const conflict = useEditConflict({
    form,
    updatedAt: user.updatedAt,
    load,
    fields: [
      { name: "firstNames", label: person("firstNames") },
      { name: "lastNames", label: person("lastNames") },
      { name: "team", label: person("team") },
      {
        name: "roleId",
        label: person("role"),
        show: (value) => roleLabel(roles.find((one) => one.id === value)?.name ?? "", roleTexts),
      },
      statusField,
    ],
  });

  const submit = async ({ email: _email, provider: _provider, ...values }: CheckedUserForm) => {
    if (selfLoss) {
      const confirmed = await new Promise<boolean>((resolve) => setResolveConfirmation(() => resolve));
      if (!confirmed) return NOT_SUBMITTED;
    }
    const result = await conflict.save((ifUpdatedAt) => update.run({ id, ifUpdatedAt, ...values }));
    if (result.ok && selfLoss) await leaveAfterSignOut();
    else if (result.ok) {
      const { firstNames, lastNames, team, role, status } = result.data;
      const expected = { firstNames, lastNames, team, roleId: role.id, status };
      const { email: _address, provider: _method, ...before } = storedBefore(form);
      const undo = () => command("auth/update-user", { id, ...before, expected });
      notifyUndoable(t("updated", { name: fullName(result.data) }), undo);
    }
    return result;
  };

  const close = () => {
    resolveConfirmation?.(false);
    setResolveConfirmation(null);
  };

  return (
    <>
      <FormDialog
        open={open}
        onOpenChange={onOpenChange}
        title={t("update", { name: fullName(user) })}
        description={`${email} · ${t(`providers.${provider}`)}`}
        form={form}
        onSubmit={submit}
        onSuccess={() => !selfLoss && router.refresh()}
        submitLabel={t("save")}
      >
        <EditConflictNotice form={form} conflict={conflict} />
        <Names control={control} />
        <div className="grid gap-4 sm:grid-cols-2">
          <RoleField
            key={conflict.choices}
            control={control}
            name="roleId"
            label={person("role")}
            role={roles.findLast((one) => one.id === roleId) ?? role}
            hint={roleId !== form.formState.defaultValues?.roleId && !selfLoss ? t("roleHint") : undefined}
          />
          <Team control={control} />
        </div>
        <StatusField control={control} name="status" hint={t("statusHint")} />
        {selfLoss && <Alert tone="warning">{t(`self.${selfLoss}`)}</Alert>}
      </FormDialog>
      <ConfirmDialog
        open={resolveConfirmation !== null}
        onOpenChange={(next) => !next && close()}
        title={t("self.title")}
        description={selfLoss && t(`self.${selfLoss}`)}
        confirmLabel={t("self.confirm")}
        onConfirm={() => resolveConfirmation?.(true)}
      />
    </>
  );
}

function Names({ control }: PartProps) {
  const person = useTranslations("profile");
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField control={control} name="firstNames" label={person("firstNames")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      <FormField control={control} name="lastNames" label={person("lastNames")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
    </div>
  );
}

function Team({ control }: PartProps) {
  const person = useTranslations("profile");
  return (
    <FormField control={control} name="team" label={person("team")} optional>
      {(field) => <Input {...field} value={field.value ?? ""} autoComplete="off" maxLength={100} />}
    </FormField>
  );
}
