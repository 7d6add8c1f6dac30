"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { z } from "zod";
import { FormField } from "@/components/common/form/form-field";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { FormDialog } from "@/components/common/form-dialog";
import { createPasskey, endCeremony } from "@/components/common/passkeys/ceremony";
import type { DialogProps } from "@/components/common/use-dialog";
import { Alert } from "@/components/ui/alert";
import { Input } from "@/components/ui/input";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { type Passkey, registrantSchema } from "@/lib/features/passkeys/schema";
import { deviceNames } from "./suggested-name";

const formSchema = z.strictObject({ registrant: registrantSchema });

/** Asks for a name and has the browser create a passkey. */
export function AddPasskeyDialog({ open, onOpenChange }: DialogProps) {
  const t = useTranslations("passkeys");
  const create = useOperation("auth/create-passkey");
  const validate = useOperation("auth/validate-create-passkey");
  const [cancelled, setCancelled] = useState(false);
  const names = deviceNames(navigator);
  const form = useZodForm(formSchema, {
    defaultValues: { registrant: names ? t("suggestedName", names) : "" },
  });

  // When the user leaves the page, the browser's dialog closes.
  useEffect(() => () => void endCeremony().catch(console.warn), []);

  const submit = async ({ registrant }: z.output<typeof formSchema>) => {
    setCancelled(false);
    const options = await create.run({});
    if (!options.ok) return options;
    const ceremony = await createPasskey(options.data);
    if (!ceremony.ok) {
      if (ceremony.failure === "cancelled" || ceremony.failure === "superseded") {
        setCancelled(true);
        return NOT_SUBMITTED;
      }
      const message = t(`failures.${ceremony.failure}`);
      notify.error(t("registerFailed"), { description: message });
      form.setError("root", { message });
      return NOT_SUBMITTED;
    }
    const validated = await validate.run({ registrant, response: ceremony.response });
    if (!validated.ok) return validated;
    const passkey: Passkey = validated.data;
    notify.success(t("added", { name: passkey.registrant }));
    return { ok: true as const };
  };

  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("addTitle")}
      description={t("addDescription")}
      form={form}
      onSubmit={submit}
      refreshes
      submitLabel={t("addSubmit")}
    >
      {cancelled && <Alert>{t("cancelled")}</Alert>}
      <FormField control={form.control} name="registrant" label={t("name")} hint={t("nameHint")}>
        {(field) => <Input {...field} maxLength={100} autoComplete="off" />}
      </FormField>
    </FormDialog>
  );
}
