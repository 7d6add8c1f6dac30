import { useTranslations } from "next-intl";
import { PublicHeader } from "@/components/common/shell/public-header";
import type { ShellBrand } from "@/components/common/shell/types";
import { Card } from "@/components/ui/card";
import { type DocumentedOperation, OperationEntry } from "./operation-entry";
import type { Schema } from "./schema-rows";

type Content = Record<string, { schema: Schema }>;

interface Entry {
  summary: string;
  description: string;
  tags: string[];
  parameters?: { name: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  description: string;
  content?: Content;
}

/** What a part of the document is, or refers to. */
function resolved(part: Answer | { $ref: string }, document: Record<string, unknown>): Answer {
  if (!("$ref" in part)) return part;
  const steps = part.$ref.slice("#/".length).split("/");
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document) as Answer;
}

function toOperation(
  path: string,
  method: string,
  entry: Entry,
  document: Record<string, unknown>,
): DocumentedOperation {
  return {
    path,
    method: method.toUpperCase(),
    summary: entry.summary,
    description: entry.description,
    parameters: entry.parameters ?? [],
    bodies: Object.entries(entry.requestBody?.content ?? {}).map(([contentType, { schema }]) => ({
      contentType,
      schema,
    })),
    answers: Object.entries(entry.responses).map(([status, answer]) => {
      const { description, content } = resolved(answer, document);
      const [contentType, body] = Object.entries(content ?? {})[0] ?? [null, null];
      return { status, description, contentType, schema: body?.schema ?? null };
    }),
  };
}

/** The API reference, grouped by area. */
export function ApiDocs({ brand, document }: { brand: ShellBrand; document: Record<string, unknown> }) {
  const t = useTranslations("apiDocs");
  const paths = document.paths as Record<string, Record<string, Entry>>;
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      area: entry.tags[0] ?? "",
      operation: toOperation(path, method, entry, document),
    })),
  );
  const areas = Map.groupBy(entries, ({ area }) => area);
  return (
    <>
      <PublicHeader brand={brand} />
      <main className="mx-auto flex w-full max-w-4xl flex-col gap-8 px-4 py-8 lg:py-12">
        <div className="flex max-w-xl flex-col gap-2">
          <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
          <p className="text-pretty text-muted-foreground leading-6">{t("description")}</p>
          <a className="w-fit font-mono text-link text-sm underline underline-offset-4" href="/api/openapi.json">
            /api/openapi.json
          </a>
        </div>
        {[...areas].map(([area, operations]) => (
          <section key={area} aria-labelledby={`area-${area}`} className="flex flex-col gap-3">
            <h2 id={`area-${area}`} className="font-mono font-semibold">
              {area}
            </h2>
            <Card className="overflow-hidden">
              {operations.map(({ operation }) => (
                <OperationEntry key={`${operation.method} ${operation.path}`} operation={operation} />
              ))}
            </Card>
          </section>
        ))}
      </main>
    </>
  );
}
