import { z } from "zod";
import { MAX_METADATA_ENTRIES } from "@/lib/features/releases/schema";

/** Common metadata of builds. */
export const USUAL_METADATA = ["gitCommit", "gitBranch", "buildUrl"] as const;

const metadataRowSchema = z.object({ key: z.string().trim().max(100), value: z.string().trim().max(1_000) });
export type MetadataRow = z.input<typeof metadataRowSchema>;

/** A build's metadata as form rows, in the order in which they were added. */
export const metadataRowsSchema = z
  .array(metadataRowSchema)
  .superRefine((rows, ctx) => {
    const filled = rows.filter(isFilled);
    if (filled.length > MAX_METADATA_ENTRIES) {
      const params = { code: "too_big", values: { limit: MAX_METADATA_ENTRIES } };
      ctx.addIssue({ code: "custom", message: "tooBig.list", params });
    }
    rows.forEach((row, index) => {
      if (!isFilled(row)) return;
      const wrong = (field: "key" | "value", message: string) =>
        ctx.addIssue({ code: "custom", path: [index, field], message, params: { code: message } });
      if (row.key === "") wrong("key", "required");
      else if (rows.findIndex(({ key }) => key === row.key) < index) wrong("key", "taken");
      if (row.value === "") wrong("value", "required");
    });
  })
  .transform((rows) => Object.fromEntries(rows.filter(isFilled).map(({ key, value }) => [key, value])));

function isFilled({ key, value }: MetadataRow): boolean {
  return key !== "" || value !== "";
}

/** Converts metadata to form rows. */
export function metadataRows(metadata: Readonly<Record<string, string>>): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => ({ key, value }));
}
