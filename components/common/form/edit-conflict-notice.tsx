"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { type FieldValues, get, type UseFormReturn } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { type CallResult, useNotifiedCall } from "@/lib/client/use-operation";
import {
  type ConflictField,
  differentFields,
  isEdited,
  keepMine,
  type StoredAt,
  type StoredValues,
  saveUnlessChanged,
  takeTheirs,
} from "./edit-conflict";
import type { NOT_SUBMITTED } from "./submit";

export type EditConflict<Input extends FieldValues, At extends StoredAt = string> = {
  /** The fields that two people may have changed, and what someone else stored in them; null if nobody did. */
  fields: readonly ConflictField<Input>[];
  theirs: StoredValues<Input, At> | null;
  /**
   * Saves the form unless someone else changed one of its fields. Then, the notice shows what they stored.
   * @param send saves, with the input `ifUpdatedAt` of the operation
   */
  save<Data extends { updatedAt: At }>(
    send: (ifUpdatedAt: At | undefined) => Promise<CallResult<Data>>,
  ): Promise<CallResult<Data> | typeof NOT_SUBMITTED>;
  keepMine: () => void;
  takeTheirs: () => void;
  /** How often the user has chosen: the key of fields that keep a state of their own beside their value. */
  choices: number;
};

/**
 * Keeps a form from overwriting what someone else saved since it was opened.
 * @param options.updatedAt when what the form shows at first was stored: null if nothing is, undefined if the form adds something
 * @param options.load reads what is stored now; null if it is gone. If it cannot be read, the user is told why.
 */
export function useEditConflict<Input extends FieldValues, Output, At extends StoredAt = string>({
  form,
  updatedAt,
  fields,
  load,
}: {
  form: UseFormReturn<Input, unknown, Output>;
  updatedAt: At | undefined;
  fields: readonly ConflictField<Input>[];
  load: () => Promise<StoredValues<Input, At> | null>;
}): EditConflict<Input, At> {
  const notified = useNotifiedCall();
  // The time of the first render, because the page may be loaded again while the form still shows the values that it
  // was opened with.
  const shown = useRef(updatedAt);
  const [choices, setChoices] = useState(0);
  const [theirs, setTheirs] = useState<StoredValues<Input, At> | null>(null);

  const adopt = (change: (stored: StoredValues<Input, At>) => void) => () => {
    if (!theirs) return;
    change(theirs);
    shown.current = theirs.updatedAt;
    setTheirs(null);
    setChoices(choices + 1);
  };
  return {
    fields,
    theirs,
    async save(send) {
      const saved = await saveUnlessChanged({
        form,
        fields,
        updatedAt: shown.current,
        send,
        load: () => notified(load),
      });
      shown.current = saved.updatedAt;
      setTheirs(saved.theirs);
      return saved.result;
    },
    keepMine: adopt((stored) => keepMine(form, fields, stored)),
    takeTheirs: adopt((stored) => takeTheirs(form, stored)),
    choices,
  };
}

export type EditConflictNoticeProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  conflict: EditConflict<Input, StoredAt>;
};

/** Shows what someone else saved beside the user's own input, to choose from. */
export function EditConflictNotice<Input extends FieldValues, Output>({
  form,
  conflict: { fields, theirs, ...choose },
}: EditConflictNoticeProps<Input, Output>) {
  const t = useTranslations("common.conflict");
  const alert = useRef<HTMLDivElement>(null);
  // It may lie above what is visible, because the button is below the fields.
  useEffect(() => {
    if (theirs) alert.current?.focus();
  }, [theirs]);
  if (!theirs) return null;
  const input = form.getValues();
  const text = ({ isSecret, show }: ConflictField<Input>, value: unknown) => {
    if (typeof value === "boolean") return t(value ? "on" : "off");
    if (isSecret) return t("hidden");
    const shown = show ? show(value) : String(value ?? "");
    return shown === "" ? t("empty") : shown;
  };
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      className="scroll-mt-20 outline-none"
      tone="warning"
      title={t("title")}
      action={
        <>
          <Button type="button" variant="secondary" onClick={choose.keepMine}>
            {t("useMine")}
          </Button>
          <Button type="button" variant="secondary" onClick={choose.takeTheirs}>
            {t("takeTheirs")}
          </Button>
        </>
      }
    >
      <p>{t("description")}</p>
      <dl className="mt-2 flex flex-col gap-2">
        {differentFields(fields, theirs, input).map((field) => (
          <div key={field.name} className="flex flex-col">
            <dt className="font-medium">{field.label}</dt>
            {/* What the user has not changed is taken over in either case. */}
            {(isEdited(form, field.name) ? (["mine", "theirs"] as const) : (["theirs"] as const)).map((side) => (
              <dd key={side} className="max-h-24 overflow-y-auto whitespace-pre-wrap break-words">
                <span className="text-muted-foreground">{t(side)}: </span>
                {text(field, get(side === "mine" ? input : theirs.values, field.name))}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Alert>
  );
}
