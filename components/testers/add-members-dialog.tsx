"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { RowButton } from "@/components/common/row-button";
import type { SearchOption, SearchOptions } from "@/components/common/search-list";
import { SearchSelect } from "@/components/common/search-select";
import type { DialogProps } from "@/components/common/use-dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { emailsIn } from "./emails";

const schema = z.object({ emails: z.string(), userIds: z.array(z.string()) });

const searchUsers: SearchOptions = async (search, signal) => {
  const { items } = await query("auth/get-users", { search, status: "active", limit: 20 }, { signal });
  return items.map(({ id, firstNames, lastNames, email }) => ({
    value: id,
    label: `${firstNames} ${lastNames}`,
    description: email,
  }));
};

type AddMembersDialogProps = DialogProps & {
  group: { id: string; name: string };
  /** Whether the user may choose among the users of the console. */
  isAdmin: boolean;
};

/** The form that adds people to a group of testers: by e-mail, and users of the console. */
export function AddMembersDialog({ group, isAdmin, open, onOpenChange }: AddMembersDialogProps) {
  const t = useTranslations("testers");
  const router = useRouter();
  const add = useOperation("testers/add-tester-group-members");
  const form = useZodForm(schema, { defaultValues: { emails: "", userIds: [] } });
  const [users, setUsers] = useState<readonly SearchOption[]>([]);
  const choose = (chosen: readonly SearchOption[]) => {
    setUsers(chosen);
    form.setValue(
      "userIds",
      chosen.map(({ value }) => value),
      { shouldDirty: true },
    );
  };
  const submit = async ({ emails, userIds }: z.output<typeof schema>) => {
    const result = await add.run({ groupId: group.id, emails: emailsIn(emails), userIds });
    if (result.ok) {
      notify.success(t("added", { added: result.data.added }));
      router.refresh();
    }
    return result;
  };
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("addMembers")}
      form={form}
      onSubmit={submit}
      submitLabel={t("addMembers")}
    >
      <FormField control={form.control} name="emails" label={t("emails")} hint={t("emailsHint")}>
        {(field) => <Textarea {...field} rows={6} spellCheck={false} autoComplete="off" />}
      </FormField>
      {isAdmin && (
        <Field label={t("addUser")} hint={t("addUserHint")}>
          <SearchSelect
            label={t("addUser")}
            option={null}
            placeholder={t("addUser")}
            search={searchUsers}
            onChange={(user) => {
              if (!users.some(({ value }) => value === user.value)) choose([...users, user]);
            }}
          />
        </Field>
      )}
      {users.map(({ value, label }) => (
        <div
          key={value}
          className="flex items-center justify-between gap-2 rounded-lg border border-border py-1 pl-3 pr-1.5"
        >
          <span className="truncate">{label}</span>
          <RowButton
            label={t("remove", { name: label })}
            icon={<X aria-hidden />}
            onClick={() => choose(users.filter((other) => other.value !== value))}
          />
        </div>
      ))}
    </FormDialog>
  );
}
