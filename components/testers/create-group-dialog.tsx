"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import type { DialogProps } from "@/components/common/use-dialog";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { nameSchema } from "@/lib/kernel/name-schema";
import { testersPath } from "@/lib/kernel/navigation/pages";
import { emailsIn } from "./emails";
import { EnvironmentsField } from "./environments-field";

const schema = z.object({ name: nameSchema, environmentIds: z.array(z.string()).nullable(), emails: z.string() });

export type CreateGroupDialogProps = DialogProps & {
  appId: string;
  /** The environments of the application. */
  environments: readonly { id: string; name: string }[];
};

/** The form of a new group of testers. */
export function CreateGroupDialog({ appId, environments, open, onOpenChange }: CreateGroupDialogProps) {
  const t = useTranslations("testers");
  const navigate = useNavigate();
  const create = useOperation("testers/create-tester-group");
  const form = useZodForm(schema, { defaultValues: { name: "", environmentIds: null, emails: "" } });
  const [isIncomplete, setIncomplete] = useState(false);
  const submit = async ({ name, environmentIds, emails }: z.output<typeof schema>) => {
    const isEmpty = environmentIds?.length === 0;
    setIncomplete(isEmpty);
    if (isEmpty) return NOT_SUBMITTED;
    const result = await create.run({
      appId,
      name,
      ...(environmentIds && { environmentIds }),
      emails: emailsIn(emails),
    });
    if (result.ok) {
      notify.success(t("created", { name: result.data.name }));
      navigate(testersPath(appId, result.data.id));
    }
    return result;
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("create")}
      description={t("description")}
      form={form}
      onSubmit={submit}
      submitLabel={t("create")}
    >
      <FormField control={form.control} name="name" label={t("name")}>
        {(field) => <Input {...field} autoComplete="off" maxLength={100} />}
      </FormField>
      {environments.length > 1 && (
        <EnvironmentsField
          environments={environments}
          value={form.watch("environmentIds")}
          onChange={(ids) => form.setValue("environmentIds", ids, { shouldDirty: true })}
          error={isIncomplete ? t("chooseEnvironment") : undefined}
        />
      )}
      <FormField control={form.control} name="emails" label={t("emails")} hint={t("emailsHint")} optional>
        {(field) => <Textarea {...field} rows={5} spellCheck={false} autoComplete="off" />}
      </FormField>
    </FormDialog>
  );
}
