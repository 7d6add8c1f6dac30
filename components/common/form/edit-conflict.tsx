"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FieldValues, Path, PathValue, UseFormReturn } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { CallResult } from "@/lib/client/use-operation";
import { NOT_SUBMITTED, type SubmitResult } from "./submit";

/** What a form edits, as it is stored now. */
type StoredValues<Values> = { updatedAt: string; values: Partial<Values> };

/** A field that two people may have changed. */
type ConflictField<Values> = {
  name: keyof Values & string;
  label: string;
  /** A secret, of which neither value is shown. */
  isSecret?: boolean;
  /** The value in words; by default, the text itself. */
  show?: (value: unknown) => string;
};

export type EditConflict<Values> = {
  /** What the console must still have for the form to be saved: the input `ifUpdatedAt` of the operation. */
  ifUpdatedAt: string | undefined;
  /** What someone else stored; null if nobody did. */
  theirs: StoredValues<Values> | null;
  /** Handles the result of saving: loads the values that someone else stored, instead of showing the problem. */
  settle<Output extends { updatedAt: string }>(result: CallResult<Output>): Promise<SubmitResult>;
  keepMine: () => void;
  takeTheirs: () => void;
};

/**
 * Keeps a form from overwriting what someone else saved since it was opened.
 * @param options.updatedAt when what the form shows was stored
 * @param options.load reads what is stored now; null if it cannot be read
 */
export function useEditConflict<Input extends FieldValues, Output>({
  form,
  updatedAt,
  load,
}: {
  form: UseFormReturn<Input, unknown, Output>;
  updatedAt: string | undefined;
  load: () => Promise<StoredValues<Input> | null>;
}): EditConflict<Input> {
  const [known, setKnown] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<StoredValues<Input> | null>(null);
  const isNewer = known !== null && (updatedAt === undefined || known > updatedAt);

  const adopt = (isAdopted: (name: string) => boolean) => {
    if (!theirs) return;
    for (const [name, value] of Object.entries(theirs.values)) {
      if (isAdopted(name)) form.setValue(name as Path<Input>, value as PathValue<Input, Path<Input>>);
    }
    setKnown(theirs.updatedAt);
    setTheirs(null);
  };
  return {
    ifUpdatedAt: isNewer ? known : updatedAt,
    theirs,
    async settle(result) {
      if (result.ok) {
        setKnown(result.data.updatedAt);
        return result;
      }
      const { code, errors } = result.problem;
      // A conflict of a field, such as a key that is taken, names the field.
      if (code !== "conflict" || errors.length > 0) return result;
      const stored = await load();
      if (!stored) return result;
      setTheirs(stored);
      return NOT_SUBMITTED;
    },
    keepMine: () => adopt((name) => !form.getFieldState(name as Path<Input>).isDirty),
    takeTheirs: () => adopt(() => true),
  };
}

export type EditConflictNoticeProps<Input extends FieldValues, Output> = {
  form: UseFormReturn<Input, unknown, Output>;
  conflict: EditConflict<Input>;
  fields: readonly ConflictField<Input>[];
};

/** Shows what someone else saved beside the user's own input, to choose from. */
export function EditConflictNotice<Input extends FieldValues, Output>({
  form,
  conflict,
  fields,
}: EditConflictNoticeProps<Input, Output>) {
  const t = useTranslations("common.conflict");
  const { theirs } = conflict;
  if (!theirs) return null;
  const input = form.getValues();
  const different = fields.filter(({ name, isSecret }) =>
    isSecret ? Boolean(input[name]) : JSON.stringify(input[name] ?? "") !== JSON.stringify(theirs.values[name] ?? ""),
  );
  const text = ({ isSecret, show }: ConflictField<Input>, value: unknown) => {
    if (isSecret) return t("hidden");
    if (typeof value === "boolean") return t(value ? "on" : "off");
    const shown = show ? show(value) : String(value ?? "");
    return shown === "" ? t("empty") : shown;
  };
  return (
    <Alert
      tone="warning"
      title={t("title")}
      action={
        <>
          <Button type="button" variant="secondary" onClick={conflict.keepMine}>
            {t("useMine")}
          </Button>
          <Button type="button" variant="secondary" onClick={conflict.takeTheirs}>
            {t("takeTheirs")}
          </Button>
        </>
      }
    >
      <p>{t("description")}</p>
      <dl className="mt-2 flex flex-col gap-2">
        {different.map((field) => (
          <div key={field.name} className="flex flex-col">
            <dt className="font-medium">{field.label}</dt>
            {(["mine", "theirs"] as const).map((side) => (
              <dd key={side} className="max-h-24 overflow-y-auto whitespace-pre-wrap break-words">
                <span className="text-muted-foreground">{t(side)}: </span>
                {text(field, side === "mine" ? input[field.name] : theirs.values[field.name])}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Alert>
  );
}
