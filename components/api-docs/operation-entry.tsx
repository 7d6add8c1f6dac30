import { useTranslations } from "next-intl";
import { CodeBlock } from "@/components/common/code-block";
import { Badge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { exampleCall } from "./example-call";
import { type Schema, schemaRows } from "./schema-rows";

/** An operation as the OpenAPI document describes it. */
export interface DocumentedOperation {
  path: string;
  method: string;
  summary: string;
  description: string;
  /** The body's schemas by content type. */
  bodies: { contentType: string; schema: Schema }[];
  parameters: { name: string; place: string; required: boolean; schema: Schema }[];
  /** Whether it can be called without a token. */
  open: boolean;
  /** Responses: success first with status, content type and schema, then failures with their codes. */
  answers: { status: string; description: string; contentType: string | null; schema: Schema | null }[];
}

const TONES = { GET: "info", POST: "success", PUT: "warning" } as const;

function Fields({ schema, caption }: { schema: Schema; caption: string }) {
  const t = useTranslations("apiDocs");
  const rows = schemaRows(schema);
  if (rows.length === 0) return null;
  return (
    <Table>
      <caption className="pb-2 text-left font-medium text-xs">{caption}</caption>
      <TableHeader>
        <TableRow>
          <TableHead>{t("field")}</TableHead>
          <TableHead>{t("type")}</TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {rows.map((row) => (
          <TableRow key={row.name}>
            <TableCell className="font-mono [overflow-wrap:anywhere] text-xs">
              {row.name}
              {!row.required && <span className="text-muted-foreground">?</span>}
            </TableCell>
            <TableCell className="whitespace-normal font-mono [overflow-wrap:anywhere] text-muted-foreground text-xs">
              {row.type}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** An operation in the list of all, as a link to its details. The list has the classes: 160 lines with theirs would be a large page. */
export function OperationLine({ operation }: { operation: Pick<DocumentedOperation, "path" | "method" | "summary"> }) {
  return (
    <li>
      <a href={`${PAGES.apiReference}?operation=${operation.path.replace("/api/", "")}`}>
        <b>{operation.method}</b>
        <code>{operation.path}</code>
        <span>{operation.summary}</span>
      </a>
    </li>
  );
}

function MethodBadge({ method }: Pick<DocumentedOperation, "method">) {
  return (
    <Badge tone={TONES[method as keyof typeof TONES] ?? "neutral"} className="w-12 justify-center font-mono">
      {method}
    </Badge>
  );
}

/** One operation with its parameters, its answers and the errors that it can return. */
export function OperationDetails({ operation, origin }: { operation: DocumentedOperation; origin: string }) {
  const t = useTranslations("apiDocs");
  const query: Schema = {
    properties: Object.fromEntries(operation.parameters.map(({ name, schema }) => [name, schema])),
    required: operation.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return (
    <article className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-2">
        <h1 className="font-semibold text-2xl tracking-tight">{operation.summary}</h1>
        <p className="flex items-center gap-3">
          <MethodBadge method={operation.method} />
          <code className="font-mono text-sm [overflow-wrap:anywhere]">{operation.path}</code>
        </p>
        <p className="max-w-2xl text-pretty text-muted-foreground leading-6">
          {operation.description.replaceAll("`", "")}
        </p>
      </div>
      <CodeBlock label={t("example")} code={exampleCall(operation, origin)} />
      <Fields schema={query} caption={t("parameters")} />
      {operation.bodies.map(({ contentType, schema }) => (
        <Fields key={contentType} schema={schema} caption={`${t("body")} · ${contentType}`} />
      ))}
      {operation.answers.map((answer) => (
        <div key={answer.status} className="flex flex-col gap-2">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={answer.status < "400" ? "success" : "outline"} className="font-mono">
              {answer.status}
            </Badge>
            <span className="font-mono text-muted-foreground text-xs">{answer.description.replaceAll("`", "")}</span>
          </p>
          {answer.status < "400" && answer.schema && (
            <Fields schema={answer.schema} caption={`${t("answer")} · ${answer.contentType}`} />
          )}
        </div>
      ))}
    </article>
  );
}
