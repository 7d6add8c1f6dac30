"use client";

import { toNestErrors } from "@hookform/resolvers";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import {
  type FieldErrors,
  type FieldValues,
  type Resolver,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { REQUIRED } from "./submit";

/** The keys are built from the issues of a schema, so the compiler cannot check them. */
type LooseTranslator = (key: string, values?: Record<string, string | number>) => string;

const loadIssues = () => import("@/lib/kernel/issues");

/** A schema, or a function that imports it: `() => import("…/schema").then((module) => module.createAppInput)`. */
export type SchemaSource<Input extends FieldValues, Output extends FieldValues> =
  | z.ZodType<Output, Input>
  | (() => Promise<z.ZodType<Output, Input>>);

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
  const t = useTranslations("validation") as unknown as LooseTranslator;
  const connection = useTranslations("clientErrors.network");
  const loaded = useRef<Promise<z.ZodType<Output, Input>> | null>(null);

  const loadSchema = () => {
    loaded.current ??= typeof schema === "function" ? schema() : Promise.resolve(schema);
    // After a lost connection, the next attempt loads it again.
    loaded.current.catch(() => {
      loaded.current = null;
    });
    return loaded.current;
  };

  // Loaded with a dialog, so that its form can be checked when the connection is lost.
  const isSchemaLoaded = typeof schema !== "function";
  useEffect(() => {
    if (isSchemaLoaded) loadIssues().catch(() => {});
  }, [isSchemaLoaded]);

  const resolver: Resolver<Input, unknown, Output> = async (values, _context, resolverOptions) => {
    const code = await Promise.all([loadSchema(), loadIssues()]).catch(() => null);
    if (!code)
      return { values: {}, errors: { root: { type: "network", message: connection("detail") } } as FieldErrors<Input> };
    const [checked, { fieldIssues }] = code;
    const parsed = await checked.safeParseAsync(values, { reportInput: true });
    if (parsed.success) return { values: parsed.data, errors: {} };
    const flat: Record<string, { type: string; message: string }> = {};
    for (const issue of fieldIssues(parsed.error.issues)) {
      const name = issue.path.join(".") || "root";
      // The specification's sentence stands once above the fields or the buttons; see `Form`.
      const isMissing = issue.message === "required";
      flat[name] ??= {
        type: isMissing ? REQUIRED : issue.code,
        message: isMissing ? t("requiredField") : t(issue.message, issue.params),
      };
    }
    return { values: {}, errors: toNestErrors(flat as FieldErrors<Input>, resolverOptions) };
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
