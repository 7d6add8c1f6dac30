"use client";

import { toNestErrors } from "@hookform/resolvers";
import {
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import { type SchemaSource, useValueCheck } from "./use-value-check";

/**
 * A form whose values are validated with the schema of the operation that they are sent to. Errors are in the user's
 * language, with the same texts as the server's.
 *
 * @param schema the operation's input schema, or a schema derived from it. A form that is part of the first view passes a
 *   function that imports it, so that the schema and the library are loaded on submission and not with the page
 * @param options as for `useForm`; `defaultValues` must contain every field
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: SchemaSource<Input, Output>,
  options: Omit<UseFormProps<Input, unknown, Output>, "resolver">,
): UseFormReturn<Input, unknown, Output> {
  const check = useValueCheck(schema);
  const resolver: Resolver<Input, unknown, Output> = async (values, _context, resolverOptions) => {
    const checked = await check(values);
    if (checked.errors === null) return { values: checked.values, errors: {} };
    return { values: {}, errors: toNestErrors(checked.errors as FieldErrors<Input>, resolverOptions) };
  };

  return useForm<Input, unknown, Output>({
    mode: "onSubmit",
    reValidateMode: "onChange",
    // `Form` does this, also for fields that are not inputs.
    shouldFocusError: false,
    ...options,
    resolver,
  });
}
