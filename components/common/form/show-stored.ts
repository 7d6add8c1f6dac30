import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from "react-hook-form";
import { storedBefore } from "./edit-conflict";

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Shows in a form what is stored now. Fields that the user has changed since `before` keep their input, which counts as not saved.
 * @param stored what is stored, as the form shows it; the fields of secrets are empty
 * @param before what the fields contained that the user has not changed: what was sent, if the form was saved; otherwise what was stored
 */
export function showStored<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  stored: Input,
  before: Input = storedBefore(form),
): void {
  for (const name of Object.keys(stored) as Path<Input>[]) {
    const [input, value] = [form.getValues(name), get(stored, name) as PathValue<Input, Path<Input>>];
    if (isEqual(input, get(before, name)) && !isEqual(input, value)) form.setValue(name, value);
  }
  form.resetDefaultValues(stored);
}
