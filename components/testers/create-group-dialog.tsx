"use client";

import { useTranslations } from "next-intl";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
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

const schema = z.object({ name: nameSchema, emails: z.string() });

/** The form of a new group of testers. */
export function CreateGroupDialog({ appId, open, onOpenChange }: DialogProps & { appId: string }) {
  const t = useTranslations("testers");
  const navigate = useNavigate();
  const create = useOperation("testers/create-tester-group");
  const form = useZodForm(schema, { defaultValues: { name: "", emails: "" } });
  const submit = async ({ name, emails }: z.output<typeof schema>) => {
    const result = await create.run({ appId, name, emails: emailsIn(emails) });
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
      <FormField control={form.control} name="emails" label={t("emails")} hint={t("emailsHint")} optional>
        {(field) => <Textarea {...field} rows={5} spellCheck={false} autoComplete="off" />}
      </FormField>
    </FormDialog>
  );
}
