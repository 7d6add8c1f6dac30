"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Form } from "@/components/common/form/form";
import { showStored } from "@/components/common/form/show-stored";
import { SubmitButton } from "@/components/common/form/submit-button";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import type { EnvironmentFields } from "./environment-actions";
import { EnvironmentInputs, shownValues, useEnvironmentForm } from "./environment-inputs";

/** Changes an environment on its page. */
export function EnvironmentForm({ environment }: { environment: EnvironmentFields }) {
  const t = useTranslations("environments");
  const router = useRouter();
  const { form, conflict, submit } = useEnvironmentForm(environment.appId, environment);
  useUnsavedInput(form.formState.isDirty);
  return (
    <Form
      form={form}
      onSubmit={submit}
      onSuccess={(stored, input) => {
        showStored(form, shownValues(stored), input);
        router.refresh();
      }}
    >
      <EnvironmentInputs form={form} conflict={conflict} />
      <SubmitButton className="self-start max-lg:self-stretch">{t("save")}</SubmitButton>
    </Form>
  );
}
