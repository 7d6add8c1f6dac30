"use client";

import { toNestErrors } from "@hookform/resolvers";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import {
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";

/** Keys are put together from the issues of a schema; the compiler cannot know them. */
type LooseTranslator = (key: string, values?: Record<string, string | number>) => string;

/** A schema, or what imports it: `() => import("…/schema").then((module) => module.createAppInput)`. */
export type SchemaSource<Input extends FieldValues, Output extends FieldValues> =
  | z.ZodType<Output, Input>
  | (() => Promise<z.ZodType<Output, Input>>);

/**
 * A form whose values are checked by the schema of the operation that they are sent to. Errors are in the reader's
 * language, in the same words that the server would use.
 *
 * @param schema the operation's input schema, or one for the form made from it. A form that is on the page from the
 *   start gives a function that imports it, so that schema and library come when the form is sent and not with the page
 * @param options as of `useForm`; `defaultValues` must name every field
 */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: SchemaSource<Input, Output>,
  options: Omit<UseFormProps<Input, unknown, Output>, "resolver">,
): UseFormReturn<Input, unknown, Output> {
  const t = useTranslations("validation") as unknown as LooseTranslator;
  const loaded = useRef<Promise<z.ZodType<Output, Input>> | null>(null);

  const loadSchema = () => {
    loaded.current ??= typeof schema === "function" ? schema() : Promise.resolve(schema);
    // After a lost connection the next try fetches it again.
    loaded.current.catch(() => {
      loaded.current = null;
    });
    return loaded.current;
  };

  const resolver: Resolver<Input, unknown, Output> = async (values, _context, resolverOptions) => {
    const [checked, { fieldIssues }] = await Promise.all([loadSchema(), import("@/lib/kernel/issues")]);
    const parsed = await checked.safeParseAsync(values, { reportInput: true });
    if (parsed.success) return { values: parsed.data, errors: {} };
    const flat: Record<string, { type: string; message: string }> = {};
    for (const issue of fieldIssues(parsed.error.issues)) {
      const name = issue.path.join(".") || "root";
      flat[name] ??= { type: issue.code, message: t(issue.message, issue.params) };
    }
    return { values: {}, errors: toNestErrors(flat as FieldErrors<Input>, resolverOptions) };
  };

  return useForm<Input, unknown, Output>({
    mode: "onSubmit",
    reValidateMode: "onChange",
    // `Form` does it, for fields that are no inputs too.
    shouldFocusError: false,
    ...options,
    resolver,
  });
}
