import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { accessToKind } from "@/lib/features/configuration/data/entries";
import { environmentTarget } from "@/lib/features/environments/data";
import { formatVariables } from "@/lib/features/variables/internal/variable-files";
import { contentDisposition } from "@/lib/http/content-disposition";
import { ApiError } from "@/lib/kernel/errors";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { plainValue, readVariables, valueBytes } from "../data";
import { exportVariablesInput, MAX_EXPORT_BYTES, type VariableFormat } from "../schema";

const FILES: Record<VariableFormat, { ending: string; contentType: string }> = {
  dotenv: { ending: "env", contentType: "text/plain" },
  json: { ending: "json", contentType: "application/json" },
  yaml: { ending: "yaml", contentType: "application/yaml" },
};

/** The active variables of an environment as a file. For secure variables, it is a reveal. */
export const exportVariables = defineDownload({
  area: "apps",
  name: "export-variables",
  summary: "Export the active variables of an environment; needs the read scope of the kind, and reveals secure ones",
  access: "any-scope",
  input: exportVariablesInput,
  contentTypes: Object.values(FILES).map(({ contentType }) => contentType),
  errors: ["file_too_large"],
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  audit: { table: "SecureVariable", action: "export" },
  async target({ environmentId, kind }, db) {
    const target = await environmentTarget(db, environmentId);
    return target && { ...target, requires: [accessToKind(kind, "reveal")] };
  },
  async handler({ input, target: { app, environment }, db, request }) {
    const { environmentId, kind, format } = input;
    if ((await valueBytes(db, kind, environmentId)) > MAX_EXPORT_BYTES) {
      throw new ApiError("file_too_large", { detailKey: "detailPlain" });
    }
    const rows = await readVariables(db, kind, environmentId, "active");
    const t = translatorFor(request.locale);
    const text = formatVariables(
      format,
      rows.map((row) => ({ key: row.key, value: plainValue(kind, row) })),
      (reader, keys) => t("variables.export.misread", { reader, keys }),
    );
    const { ending, contentType } = FILES[format];
    const headers = {
      "Content-Type": `${contentType}; charset=utf-8`,
      "Content-Disposition": contentDisposition(`${app.name} ${environment.name}.${ending}`),
      "Cache-Control": "no-store",
    };
    return {
      output: { status: 200, headers, body: text },
      audit:
        kind === "dev-variable"
          ? null
          : { recordId: environmentId, changes: { format: [null, format], entries: [null, rows.length] } },
    };
  },
});
