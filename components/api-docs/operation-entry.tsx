import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type Schema, schemaRows } from "./schema-rows";

/** An operation as the OpenAPI document describes it. */
export interface DocumentedOperation {
  path: string;
  method: string;
  summary: string;
  description: string;
  /** The body's schemas by content type. */
  bodies: { contentType: string; schema: Schema }[];
  parameters: { name: string; required: boolean; schema: Schema }[];
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
            <TableCell className="font-mono text-xs">
              {row.name}
              {!row.required && <span className="text-muted-foreground">?</span>}
            </TableCell>
            <TableCell className="whitespace-normal break-words font-mono text-muted-foreground text-xs">
              {row.type}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** One operation: its summary, and its details when it is expanded. */
export function OperationEntry({ operation }: { operation: DocumentedOperation }) {
  const t = useTranslations("apiDocs");
  const query: Schema = {
    properties: Object.fromEntries(operation.parameters.map(({ name, schema }) => [name, schema])),
    required: operation.parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  return (
    <details id={operation.path} className="group border-border border-b last:border-b-0">
      <summary className="grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1 px-4 py-3 hover:bg-muted">
        <Badge
          tone={TONES[operation.method as keyof typeof TONES] ?? "neutral"}
          className="w-12 justify-center font-mono"
        >
          {operation.method}
        </Badge>
        <code className="font-mono text-sm [overflow-wrap:anywhere]">{operation.path}</code>
        <span className="col-start-2 text-muted-foreground">{operation.summary}</span>
      </summary>
      <div className="flex flex-col gap-5 border-border border-t bg-background px-4 py-4">
        <p className="text-muted-foreground">{operation.description.replaceAll("`", "")}</p>
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
      </div>
    </details>
  );
}
