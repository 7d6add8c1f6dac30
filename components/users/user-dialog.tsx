"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Control, useWatch } from "react-hook-form";
import { z } from "zod";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { FormField } from "@/components/common/form/form-field";
import { SelectField } from "@/components/common/form/select-field";
import { StatusField } from "@/components/common/form/status-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { RoleField } from "@/components/roles/role-field";
import { leaveAfterSignOut } from "@/components/session/leave";
import { Alert } from "@/components/ui/alert";
import { Input } from "@/components/ui/input";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { providerSchema } from "@/lib/features/auth/schema";
import { type AdministeredUser, registerUserInput } from "@/lib/features/users/schema";
import { SUPER_ADMIN } from "@/lib/permissions/actor";
import { fullName } from "./full-name";

/** What both forms hold, as register-user takes it, with words of their own for the two choices. */
const userFormSchema = registerUserInput.extend({
  roleId: z.string().refine(Boolean, { error: "roleRequired" }),
  provider: z.custom<z.output<typeof providerSchema>>((value) => providerSchema.safeParse(value).success, {
    error: "providerRequired",
  }),
});

type UserForm = z.input<typeof userFormSchema>;
type CheckedUserForm = z.output<typeof userFormSchema>;
type PartProps = { control: Control<UserForm, unknown, CheckedUserForm> };

/** Registers a user. */
export function CreateUserDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("users");
  const person = useTranslations("profile");
  const router = useRouter();
  const register = useOperation("auth/register-user");
  const form = useZodForm(userFormSchema, {
    defaultValues: {
      firstNames: "",
      lastNames: "",
      email: "",
      team: "",
      roleId: "",
      provider: undefined,
      status: "active",
    },
  });
  const { control } = form;
  const provider = useWatch({ control, name: "provider" });
  const providers = providerSchema.options.map((value) => ({ value, label: t(`providers.${value}`) }));

  const submit = async (values: CheckedUserForm) => {
    const result = await register.run(values);
    if (result.ok) {
      const { data } = result;
      const invited = data.invited && data.status === "active";
      notify.success(t("created", { name: fullName(data) }), {
        description: invited ? t("invitationSent", { email: data.email }) : undefined,
      });
    }
    return result;
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("create")}
      description={t("createDescription")}
      form={form}
      onSubmit={submit}
      onSuccess={() => router.refresh()}
      submitLabel={t("create")}
    >
      <Names control={control} />
      <FormField control={control} name="email" label={person("email")}>
        {(field) => <Input {...field} type="email" autoComplete="off" autoCapitalize="none" maxLength={254} />}
      </FormField>
      <SelectField
        control={control}
        name="provider"
        label={t("provider")}
        options={providers}
        hint={
          !provider
            ? t("providerHint")
            : provider === "email"
              ? t("invitationHint")
              : t("ssoHint", { provider: t(`providers.${provider}`) })
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <RoleField control={control} name="roleId" label={person("role")} />
        <Team control={control} />
      </div>
      <StatusField control={control} name="status" hint={t("statusHint")} />
    </FormDialog>
  );
}

export type UpdateUserDialogProps = DialogProps & {
  user: AdministeredUser;
  /** The user is whoever looks at the page. */
  isSelf: boolean;
};

/** Changes a user. Whoever is about to give their own administration up is told so, and asked. */
export function UpdateUserDialog({ user, isSelf, open, onOpenChange }: UpdateUserDialogProps) {
  const t = useTranslations("users");
  const person = useTranslations("profile");
  const router = useRouter();
  const update = useOperation("auth/update-user");
  const [answer, setAnswer] = useState<((goOn: boolean) => void) | null>(null);
  const { id, firstNames, lastNames, email, team, role, provider, status } = user;
  const form = useZodForm(userFormSchema, {
    defaultValues: { firstNames, lastNames, email, team: team ?? "", roleId: role.id, provider, status },
  });
  const { control } = form;
  const [roleId, wantedStatus] = useWatch({ control, name: ["roleId", "status"] });
  const losing = !isSelf
    ? null
    : wantedStatus === "inactive"
      ? "switchOff"
      : role.name === SUPER_ADMIN && roleId !== role.id
        ? "demote"
        : null;

  const submit = async ({ email: _email, provider: _provider, ...values }: CheckedUserForm) => {
    if (losing) {
      const goOn = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
      if (!goOn) return { ok: false as const, problem: { title: "", detail: "", errors: [] } };
    }
    const result = await update.run({ id, ...values });
    if (result.ok && losing) await leaveAfterSignOut();
    else if (result.ok) notify.success(t("updated", { name: fullName(result.data) }));
    return result;
  };

  const close = () => {
    answer?.(false);
    setAnswer(null);
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
        onSuccess={() => !losing && router.refresh()}
        submitLabel={t("save")}
      >
        <Names control={control} />
        <div className="grid gap-4 sm:grid-cols-2">
          <RoleField
            control={control}
            name="roleId"
            label={person("role")}
            role={role}
            hint={roleId !== role.id && !losing ? t("roleHint") : undefined}
          />
          <Team control={control} />
        </div>
        <StatusField control={control} name="status" hint={t("statusHint")} />
        {losing && <Alert tone="warning">{t(`self.${losing}`)}</Alert>}
      </FormDialog>
      <ConfirmDialog
        open={answer !== null}
        onOpenChange={(next) => !next && close()}
        title={t("self.title")}
        description={losing && t(`self.${losing}`)}
        confirmLabel={t("self.confirm")}
        onConfirm={() => answer?.(true)}
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
