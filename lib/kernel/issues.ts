import type { z } from "zod";
import type { FieldIssue } from "@/lib/kernel/errors";
import { MAX_JSON_DEPTH } from "@/lib/kernel/json";

/** The maximum number of issues in a response. */
export const MAX_ISSUES = 50;

/**
 * Converts zod's issues to keys below `validation` in the messages, with their values. The key of a schema's own refinement
 * (`error: "passwordMismatch"`) is preserved.
 * @returns the first MAX_ISSUES
 */
export function fieldIssues(issues: readonly z.core.$ZodIssue[]): FieldIssue[] {
  const found: FieldIssue[] = [];
  for (const issue of issues) {
    found.push(...fieldIssue(issue));
    if (found.length >= MAX_ISSUES) break;
  }
  return found.slice(0, MAX_ISSUES);
}

function fieldIssue(issue: z.core.$ZodIssue): FieldIssue[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .slice(0, MAX_ISSUES)
        .map((key) => ({ path: [...path, key], code: "unknown_field", message: "unknownField" }));
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
          params: { allowed: issue.values.map(String).filter(Boolean).join(", ") },
        },
      ];
    case "invalid_format":
      return [{ path, code: "invalid_format", message: formatKey(issue.format, issue.message) }];
    case "invalid_union": {
      // The branch with the fewest issues is reported.
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

/** Returns the key of a format. A pattern's message is its key, unless it is zod's default sentence. */
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

/**
 * Finds texts in an input that PostgreSQL cannot store: with NUL or an unpaired surrogate. An input that is nested deeper than
 * MAX_JSON_DEPTH is an issue, too.
 * @returns the first MAX_ISSUES
 */
export function unstorableTexts(input: unknown): FieldIssue[] {
  const issues: FieldIssue[] = [];
  const path: (string | number)[] = [];
  const visit = (value: unknown): void => {
    if (issues.length >= MAX_ISSUES) return;
    if (typeof value === "string") {
      if (!isStorable(value)) issues.push({ path: [...path], code: "invalid_format", message: "invalidFormat" });
    } else if (path.length > MAX_JSON_DEPTH) {
      issues.push({ path: [], code: "invalid", message: "invalid" });
    } else if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visitAt(index, item);
      });
    } else if (isPlainObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        // A name that cannot be stored cannot be part of the path in a response either.
        if (isStorable(name)) visitAt(name, item);
        else visit(name);
      }
    }
  };
  const visitAt = (name: string | number, value: unknown): void => {
    path.push(name);
    visit(value);
    path.pop();
  };
  visit(input);
  return issues;
}

/** Returns whether a value is a plain object, not an instance of a class such as a received file. */
function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
