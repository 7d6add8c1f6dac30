import { route } from "@/lib/api/route";
import { getAuditLog } from "@/lib/features/audit/operations/get-audit-log";

export const GET = route(getAuditLog);
