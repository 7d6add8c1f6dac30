import type { VariableFormat } from "@/lib/features/variables/schema";

const DOTENV_LINE = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=/;
const YAML_LINE = /^\s*["']?[A-Za-z_][A-Za-z0-9_.-]*["']?\s*:(?:\s|$)/;

/** The format of a file of variables, by the extension of its name or else by its first line that is not a comment. */
export function detectFormat(text: string, fileName = ""): VariableFormat {
  if (/\.json$/i.test(fileName)) return "json";
  if (/\.ya?ml$/i.test(fileName)) return "yaml";
  if (text.trimStart().startsWith("{")) return "json";
  const line = text.split(/\r\n|[\r\n]/).find((one) => one.trim() !== "" && !/^\s*(?:#|---)/.test(one)) ?? "";
  return !DOTENV_LINE.test(line) && YAML_LINE.test(line) ? "yaml" : "dotenv";
}
