import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { PublicHeader } from "@/components/common/shell/public-header";
import type { ShellBrand } from "@/components/common/shell/types";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { type DocumentedOperation, OperationDetails, OperationLine } from "./operation-entry";
import type { Schema } from "./schema-rows";

type Content = Record<string, { schema: Schema }>;

interface Entry {
  summary: string;
  description: string;
  tags: string[];
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  /** Empty if anybody may call it. */
  security: Record<string, unknown>[];
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
    parameters: (entry.parameters ?? []).map(({ in: place, ...parameter }) => ({ ...parameter, place })),
    open: entry.security.length === 0,
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

/** The classes of a list of operations. */
const LINES = cn(
  "divide-y divide-border [&_a]:grid [&_a]:grid-cols-[2.75rem_1fr] [&_a]:items-baseline [&_a]:gap-x-3 [&_a]:gap-y-1 [&_a]:px-4 [&_a]:py-3",
  "[&_a:focus-visible]:outline-offset-[-2px] [&_a:hover]:bg-muted [&_b]:font-medium [&_b]:font-mono [&_b]:text-muted-foreground [&_b]:text-xs",
  "[&_code]:font-mono [&_code]:text-sm [&_code]:[overflow-wrap:anywhere] [&_span]:col-start-2 [&_span]:text-muted-foreground",
);

type ApiDocsProps = {
  brand: ShellBrand;
  document: Record<string, unknown>;
  /** The operation to show, such as `apps/create-app`; null for the list of all. */
  operation: string | null;
  /** Words of a search in the list. */
  query: string;
  /** The console's address, for examples. */
  origin: string;
};

/** Whether the document has an operation, such as `apps/create-app`. */
export function hasOperation(document: Record<string, unknown>, operation: string): boolean {
  return Object.hasOwn(document.paths as object, `/api/${operation}`);
}

/** The API reference: the operations by area, those that a search found, or one with its details. */
export function ApiDocs({ brand, document, operation, query, origin }: ApiDocsProps) {
  const t = useTranslations("apiDocs");
  const paths = document.paths as Record<string, Record<string, Entry>>;
  return (
    <>
      <PublicHeader brand={brand} newDocument />
      <main className="mx-auto flex w-full max-w-4xl flex-col gap-6 px-4 py-8 lg:py-12">
        {operation === null ? (
          <>
            <div className="flex max-w-xl flex-col gap-2">
              <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
              <p className="text-pretty text-muted-foreground leading-6">{t("description")}</p>
              <a className="w-fit font-mono text-link text-sm underline underline-offset-4" href="/api/openapi.json">
                /api/openapi.json
              </a>
            </div>
            <SearchField query={query} />
            <Areas paths={paths} query={query} />
          </>
        ) : (
          <>
            <a className="w-fit text-link underline underline-offset-4" href={PAGES.apiReference}>
              {t("all")}
            </a>
            {Object.entries(paths[`/api/${operation}`] ?? {}).map(([method, entry]) => (
              <OperationDetails
                key={method}
                operation={toOperation(`/api/${operation}`, method, entry, document)}
                origin={origin}
              />
            ))}
          </>
        )}
      </main>
    </>
  );
}

function SearchField({ query }: { query: string }) {
  const t = useTranslations("apiDocs");
  return (
    <search>
      <form action={PAGES.apiReference} className="flex max-w-md gap-2">
        <Input
          type="search"
          name="q"
          defaultValue={query}
          maxLength={100}
          aria-label={t("search")}
          placeholder={t("search")}
        />
        <Button type="submit" variant="secondary" size="icon" aria-label={t("search")}>
          <Search aria-hidden />
        </Button>
      </form>
    </search>
  );
}

/** The operations by area; with a query, those whose path and summary contain each of its words. */
function Areas({ paths, query }: { paths: Record<string, Record<string, Entry>>; query: string }) {
  const t = useTranslations("apiDocs");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { summary, tags }]) => {
      const text = `${path} ${summary}`.toLowerCase();
      return words.every((word) => text.includes(word))
        ? [{ area: tags[0] ?? "", path, method: method.toUpperCase(), summary }]
        : [];
    }),
  );
  const areas = [...Map.groupBy(found, ({ area }) => area)];
  return (
    <>
      {query ? (
        <p role="status">{t("results", { count: found.length, query })}</p>
      ) : (
        <nav aria-label={t("areas")}>
          <p className="flex flex-wrap gap-x-1 gap-y-0.5 [&_a]:inline-flex [&_a]:min-h-9 [&_a]:items-center [&_a]:gap-1.5 [&_a]:rounded-md [&_a]:px-2 [&_a]:font-mono [&_a:hover]:bg-muted [&_span]:text-muted-foreground [&_span]:text-xs">
            {areas.map(([area, operations]) => (
              <a key={area} href={`#area-${area}`}>
                {area} <span>{operations.length}</span>
              </a>
            ))}
          </p>
        </nav>
      )}
      {areas.map(([area, operations]) => (
        <section key={area} aria-labelledby={`area-${area}`} className="flex flex-col gap-3">
          <h2 id={`area-${area}`} className="scroll-mt-4 font-mono font-semibold">
            {area}
          </h2>
          <Card className="overflow-hidden">
            <ul className={LINES}>
              {operations.map((operation) => (
                <OperationLine key={`${operation.method} ${operation.path}`} operation={operation} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
    </>
  );
}
