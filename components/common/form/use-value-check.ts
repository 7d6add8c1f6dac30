"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { z } from "zod";
import type { LooseTranslator } from "@/lib/kernel/i18n/translator";
import { REQUIRED } from "./submit";

const loadIssues = () => import("@/lib/kernel/issues");

/** A schema, or a function that imports it: `() => import("…/schema").then((module) => module.createAppInput)`. */
export type SchemaSource<Input, Output> = z.ZodType<Output, Input> | (() => Promise<z.ZodType<Output, Input>>);

export type ValueError = { type: string; message: string };

/** The parsed values, or the first error of each field by its dotted path; `root` is that of the whole form. */
type CheckedValues<Output> =
  | { values: Output; errors: null }
  | { values: null; errors: Partial<Record<string, ValueError>> };

/**
 * Returns a function that checks the values of a form with a schema. Errors are in the user's language, with the same texts
 * as the server's.
 *
 * @param schema a form that is part of the first view passes a function that imports it, so that the schema and the library
 *   are loaded on submission and not with the page
 */
export function useValueCheck<Input, Output>(
  schema: SchemaSource<Input, Output>,
): (values: Input) => Promise<CheckedValues<Output>> {
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

  return async (values) => {
    const code = await Promise.all([loadSchema(), loadIssues()]).catch(() => null);
    if (!code) return { values: null, errors: { root: { type: "network", message: connection("detail") } } };
    const [checked, { fieldIssues }] = code;
    const parsed = await checked.safeParseAsync(values, { reportInput: true });
    if (parsed.success) return { values: parsed.data, errors: null };
    const errors: Record<string, ValueError> = {};
    for (const issue of fieldIssues(parsed.error.issues)) {
      const name = issue.path.join(".") || "root";
      // The specification's sentence stands once above the fields or the buttons; see `FormNotices`.
      const isMissing = issue.message === "required";
      errors[name] ??= {
        type: isMissing ? REQUIRED : issue.code,
        message: isMissing ? t("requiredField") : t(issue.message, issue.params),
      };
    }
    return { values: null, errors };
  };
}
