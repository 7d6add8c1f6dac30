import { route } from "@/lib/api/route";
import { getAuditLogs } from "@/lib/features/audit/operations/get-audit-logs";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getAuditLogs);
