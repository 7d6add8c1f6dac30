"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/common/form/form-field";
import { ImageField } from "@/components/common/form/image-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { useOperation } from "@/lib/client/use-operation";
import { type User, updateUserProfileInput } from "@/lib/features/auth/schema";

export type ProfileDialogProps = DialogProps & { user: User };

/** Changes the user's own names and picture. */
export function ProfileDialog({ user, open, onOpenChange }: ProfileDialogProps) {
  const t = useTranslations("profile");
  const update = useOperation("auth/update-user-profile");
  const { firstNames, lastNames } = user;
  const form = useZodForm(updateUserProfileInput, {
    defaultValues: { firstNames, lastNames, avatarFileId: undefined },
  });

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("edit")}
      description={t("editDescription")}
      form={form}
      onSubmit={update.run}
      successNotice={() => t("saved")}
      refreshes
      submitLabel={t("save")}
    >
      <ImageField
        control={form.control}
        name="avatarFileId"
        label={t("avatar")}
        currentUrl={user.avatarUrl}
        shape="circle"
        optional
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField control={form.control} name="firstNames" label={t("firstNames")}>
          {(field) => <Input {...field} autoComplete="given-name" maxLength={100} />}
        </FormField>
        <FormField control={form.control} name="lastNames" label={t("lastNames")}>
          {(field) => <Input {...field} autoComplete="family-name" maxLength={100} />}
        </FormField>
      </div>
    </FormDialog>
  );
}
