import { simpleSample } from "@/lib/testing/sample";
import { downloadAuditLog } from "./download-audit-log";

export const sample = simpleSample(downloadAuditLog, () => ({}));
