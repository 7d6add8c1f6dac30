"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useCallback } from "react";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { PublicationState } from "./publication";

type Failure = Extract<PublicationState, { phase: "failed" }>;

type FailureTexts = {
  /** Null if the fields say it all. */
  message: string | null;
  /** The errors of fields. */
  fields: readonly { path: string; message: string }[];
};

/** The fields of the release's form in requests that add the app and the environment. */
const PLACE_FIELDS: Readonly<Record<string, string>> = { name: "environmentName", identifier: "root" };

/** Returns a function that says why a publication failed, and what it had added by then. */
export function useFailureTexts(): (failure: Failure) => FailureTexts {
  const t = useTranslations("upload");
  const format = useFormatter();
  const withTexts = useProblemTexts();
  return useCallback(
    ({ problem, added }) => {
      const names = [added.app, added.environment].flatMap((one) => (one ? [one.name] : []));
      const soFar = names.length > 0 ? t("added", { names: format.list(names) }) : "";
      const say = (text: string) => [text, soFar].filter(Boolean).join(" ");
      if (problem === "file_unreadable") return { message: say(t("fileChanged")), fields: [] };
      if (problem.code === "checksum_mismatch") return { message: say(t("checksumMismatch")), fields: [] };
      const { title, detail, errors } = withTexts(problem);
      // Its errors are about the build, not about fields.
      if (problem.code === "rule_violated") {
        return { message: say(`${title}. ${errors.map(({ message }) => message).join(" ")}`), fields: [] };
      }
      if (errors.length === 0) return { message: say(`${title}. ${detail}`), fields: [] };
      const fields = errors.map(({ path, message }) => ({ path: PLACE_FIELDS[path] ?? path, message }));
      return { message: soFar || null, fields };
    },
    [t, format, withTexts],
  );
}
