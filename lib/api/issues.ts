import type { z } from "zod";
import type { FieldIssue } from "@/lib/errors";
import { ReceivedFile } from "./received-file";

/**
 * Puts zod's issues into the product's words: each becomes a key below `validation` of the messages with its values.
 * A schema that refines with a key of its own (`error: "passwordMismatch"`) is passed through.
 */
export function fieldIssues(issues: readonly z.core.$ZodIssue[]): FieldIssue[] {
  return issues.flatMap(fieldIssue);
}

function fieldIssue(issue: z.core.$ZodIssue): FieldIssue[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({ path: [...path, key], code: "unknown_field", message: "unknownField" }));
    case "invalid_type":
      return issue.input === undefined || issue.input === null
        ? [{ path, code: "required", message: "required" }]
        : [{ path, code: "invalid_type", message: "invalidType" }];
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? [{ path, code: "required", message: "required" }]
        : [
            {
              path,
              code: "too_small",
              message: `tooSmall.${sizeKey(issue.origin)}`,
              params: { limit: Number(issue.minimum) },
            },
          ];
    case "too_big":
      return [
        { path, code: "too_big", message: `tooBig.${sizeKey(issue.origin)}`, params: { limit: Number(issue.maximum) } },
      ];
    case "invalid_value":
      return [
        {
          path,
          code: "invalid_value",
          message: "invalidValue",
          params: { allowed: issue.values.map(String).join(", ") },
        },
      ];
    case "invalid_format":
      return [{ path, code: "invalid_format", message: formatKey(issue.format, issue.message) }];
    case "invalid_union": {
      // The branch that came closest says what is wrong with it.
      const nearest = issue.errors.toSorted((a, b) => a.length - b.length)[0];
      if (!nearest || nearest.length === 0) return [{ path, code: "invalid", message: "invalid" }];
      return fieldIssues(nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
    }
    case "custom":
      return [
        {
          path,
          code: (issue.params?.code as string) ?? "invalid",
          message: issue.message || "invalid",
          params: issue.params?.values,
        },
      ];
    default:
      return [{ path, code: "invalid", message: "invalid" }];
  }
}

function sizeKey(origin: string): "text" | "list" | "number" {
  if (origin === "string") return "text";
  return origin === "array" || origin === "set" ? "list" : "number";
}

/** A pattern may have a key of its own; without one zod gives a sentence. */
function formatKey(format: string, message: string): string {
  if (format === "regex" && /^[a-z]\w*(?:\.\w+)*$/i.test(message)) return message;
  return FORMAT_KEYS[format] ?? "invalidFormat";
}

const FORMAT_KEYS: Record<string, string> = {
  email: "email",
  uuid: "id",
  datetime: "date",
  date: "date",
  url: "url",
};

/** No input of ours is nested half as deep. */
const MAX_DEPTH = 16;

/**
 * The texts in an input that PostgreSQL does not store: with a NUL, or with half of a surrogate pair. An input that is
 * nested too deep to be looked through is refused as well.
 */
export function unstorableTexts(input: unknown, path: readonly (string | number)[] = []): FieldIssue[] {
  if (typeof input === "string") {
    if (input.isWellFormed() && !input.includes("\0")) return [];
    return [{ path: [...path], code: "invalid_format", message: "invalidFormat" }];
  }
  if (path.length > MAX_DEPTH) return [{ path: [], code: "invalid", message: "invalid" }];
  if (Array.isArray(input)) return input.flatMap((item, index) => unstorableTexts(item, [...path, index]));
  if (typeof input !== "object" || input === null || input instanceof ReceivedFile) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    // A name that cannot be stored is not a path that an answer could carry either.
    const inName = unstorableTexts(name, path);
    return inName.length > 0 ? inName : unstorableTexts(value, [...path, name]);
  });
}
