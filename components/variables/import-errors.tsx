import { useTranslations } from "next-intl";
import { Alert } from "@/components/ui/alert";
import type { OperationOutput } from "@/lib/client/operation-types";

/** The characters of a line that are shown. */
const SHOWN_CHARACTERS = 60;

/** The lines of a text, as an import counts them. */
export function linesOf(text: string): string[] {
  return text.split("\n");
}

/** The part of a line that names its variable; the value, which may be a secret, is not repeated. */
function shownLine(line: string): string {
  const [start = ""] = line.trim().split("=", 1);
  const characters = [...start.trim()];
  return characters.length > SHOWN_CHARACTERS
    ? `${characters.slice(0, SHOWN_CHARACTERS).join("")}…`
    : characters.join("");
}

export type ImportErrorsProps = {
  errors: OperationOutput<"apps/import-variables">["errors"];
  lines: readonly string[];
};

/** The lines that prevent an import, each with its text and the reason. */
export function ImportErrors({ errors, lines }: ImportErrorsProps) {
  const t = useTranslations("variables.import");
  return (
    <Alert tone="danger" title={t("errors", { count: errors.length })}>
      <ul className="flex flex-col gap-1.5">
        {errors.map(({ line, code, message }) => {
          // The message names a key that is wrong.
          const text = code === "key" ? "" : shownLine(lines[line - 1] ?? "");
          return (
            <li key={`${line} ${code}`} className="flex min-w-0 flex-wrap gap-x-2">
              <span className="font-medium tabular-nums">{t("line", { line })}</span>
              {text !== "" && <code className="break-all font-mono text-[0.8125rem]">{text}</code>}
              <span className="min-w-0 break-words">{message}</span>
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
