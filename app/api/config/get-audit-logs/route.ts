import { route } from "@/lib/api/route";
import { getAuditLogs } from "@/lib/features/audit/operations/get-audit-logs";

export const GET = route(getAuditLogs);
