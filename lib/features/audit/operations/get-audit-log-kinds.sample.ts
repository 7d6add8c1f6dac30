import { simpleSample } from "@/lib/testing/sample";
import { getAuditLogKinds } from "./get-audit-log-kinds";

export const sample = simpleSample(getAuditLogKinds, () => ({}));
