import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from "react-hook-form";
import type { CallResult } from "@/lib/client/use-operation";
import { NOT_SUBMITTED } from "./submit";

/** When something was stored; null if it may not be stored yet, and is not. */
export type StoredAt = string | null;

/** What a form edits, as it is stored now. */
export type StoredValues<Input, At extends StoredAt = StoredAt> = { updatedAt: At; values: Partial<Input> };

/** A field that two people may have changed. */
export type ConflictField<Input extends FieldValues> = {
  name: Path<Input>;
  label: string;
  /** Something that is not read back, such as a secret or an image, of which neither value is shown. */
  isSecret?: boolean;
  /** The value in words; by default, the text itself. */
  show?: (value: unknown) => string;
};

type Form<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

/** Whether a form means the same by two values. An empty field is null, undefined or an empty text. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/**
 * The fields in which what is stored differs from the user's input. Of a field that is not read back, only an input is known, so
 * that each input counts as different.
 */
export function differentFields<Input extends FieldValues>(
  fields: readonly ConflictField<Input>[],
  stored: StoredValues<Input>,
  input: Input,
): ConflictField<Input>[] {
  return fields.filter(({ name, isSecret }) =>
    isSecret ? Boolean(get(input, name)) : !isSame(get(input, name), get(stored.values, name)),
  );
}

/** What is stored before a form is saved, as the form shows it: what it was opened with, or what someone else stored since. */
export function storedBefore<Input extends FieldValues, Output>({ control }: Form<Input, Output>): Input {
  // Those of `formState` are those of the last render.
  return control._defaultValues as unknown as Input;
}

/** Whether the user has changed a field since it showed the stored value. */
export function isEdited<Input extends FieldValues, Output>(form: Form<Input, Output>, name: Path<Input>): boolean {
  return !isSame(get(form.getValues(), name), get(storedBefore(form), name));
}

/** How saving ended. */
type Saved<Input, Data, At extends StoredAt> = {
  result: CallResult<Data> | typeof NOT_SUBMITTED;
  /** When what the form shows was stored. */
  updatedAt: At | undefined;
  /** What someone else stored, if they changed a field of the form; nothing was saved then. */
  theirs: StoredValues<Input, At> | null;
};

/**
 * Saves a form unless someone else changed one of its fields since it was opened. Changes of other fields of the same
 * row do not prevent it.
 * @param options.updatedAt when what the form shows was stored; undefined if it adds something
 * @param options.send saves, with the input `ifUpdatedAt` of the operation
 * @param options.load reads what is stored now; null if it cannot be read
 */
export async function saveUnlessChanged<
  Input extends FieldValues,
  Output,
  Data extends { updatedAt: At },
  At extends StoredAt,
>({
  form,
  fields,
  updatedAt,
  send,
  load,
}: {
  form: Form<Input, Output>;
  fields: readonly ConflictField<Input>[];
  updatedAt: At | undefined;
  send: (ifUpdatedAt: At | undefined) => Promise<CallResult<Data>>;
  load: () => Promise<StoredValues<Input, At> | null>;
}): Promise<Saved<Input, Data, At>> {
  let known = updatedAt;
  for (;;) {
    const result = await send(known);
    if (result.ok) return { result, updatedAt: result.data.updatedAt, theirs: null };
    const { code, errors } = result.problem;
    // A conflict of a field, such as a key that is taken, names the field.
    const stored = code === "conflict" && errors.length === 0 && known !== undefined ? await load() : null;
    // Without a change of the row, the conflict is another one.
    if (!stored || stored.updatedAt === known) return { result, updatedAt: known, theirs: null };
    const before = storedBefore(form);
    const isOverwritten = ({ name, isSecret }: ConflictField<Input>) =>
      isSecret || !isSame(get(before, name), get(stored.values, name));
    if (differentFields(fields, stored, form.getValues()).some(isOverwritten)) {
      return { result: NOT_SUBMITTED, updatedAt: known, theirs: stored };
    }
    known = stored.updatedAt;
    form.resetDefaultValues({ ...before, ...stored.values });
  }
}

/** Takes over what someone else stored, in the fields that the user has not changed. The others differ from what is stored now. */
export function keepMine<Input extends FieldValues, Output>(
  form: Form<Input, Output>,
  fields: readonly ConflictField<Input>[],
  { values }: StoredValues<Input>,
): void {
  for (const { name } of fields) {
    const isRead = (name.split(".")[0] as string) in values;
    if (isRead && !isEdited(form, name)) {
      form.setValue(name, get(values, name) as PathValue<Input, Path<Input>>);
    }
  }
  form.resetDefaultValues({ ...storedBefore(form), ...values });
}

/** Takes over all that someone else stored. */
export function takeTheirs<Input extends FieldValues, Output>(
  form: Form<Input, Output>,
  { values }: StoredValues<Input>,
): void {
  form.reset({ ...form.getValues(), ...values });
}
