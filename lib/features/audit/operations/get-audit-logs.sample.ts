import { simpleSample } from "@/lib/testing/sample";
import { getAuditLogs } from "./get-audit-logs";

export const sample = simpleSample(getAuditLogs, () => ({}));
