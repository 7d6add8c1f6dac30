"use client";

import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { DocsLink } from "@/components/common/docs-link";
import { EditConflictNotice, type EditConflictNoticeProps } from "@/components/common/form/edit-conflict-notice";
import { Form } from "@/components/common/form/form";
import type { SubmitResult } from "@/components/common/form/submit";
import { SubmitButton } from "@/components/common/form/submit-button";
import { PAGES } from "@/lib/kernel/navigation/pages";

export type KeyFormProps<Input extends FieldValues, Output, Data> = {
  form: UseFormReturn<Input, unknown, Output>;
  conflict: EditConflictNoticeProps<Input, Output>["conflict"];
  onSubmit: (values: Output) => Promise<SubmitResult<Data>>;
  onSuccess: (data: Data, input: Input) => void;
  canWrite: boolean;
  /** The text of the button. */
  save: string;
  /** The name of a page of the documentation. */
  docs: string;
  /** The fields. */
  children: ReactNode;
};

/** The form of a key of an environment, which those who may not change it read. */
export function KeyForm<Input extends FieldValues, Output, Data>({
  form,
  conflict,
  onSubmit,
  onSuccess,
  canWrite,
  save,
  docs,
  children,
}: KeyFormProps<Input, Output, Data>) {
  return (
    <Form form={form} onSubmit={onSubmit} onSuccess={onSuccess}>
      <EditConflictNotice form={form} conflict={conflict} />
      <fieldset disabled={!canWrite} className="flex min-w-0 flex-col gap-4">
        {children}
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        {canWrite && <SubmitButton className="max-lg:grow">{save}</SubmitButton>}
        <DocsLink href={`${PAGES.docs}/${docs}`} />
      </div>
    </Form>
  );
}
