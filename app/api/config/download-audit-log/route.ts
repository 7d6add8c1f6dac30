import { route } from "@/lib/api/route";
import { downloadAuditLog } from "@/lib/features/audit/operations/download-audit-log";

export const GET = route(downloadAuditLog);
