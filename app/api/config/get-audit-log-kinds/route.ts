import { route } from "@/lib/api/route";
import { getAuditLogKinds } from "@/lib/features/audit/operations/get-audit-log-kinds";

export const GET = route(getAuditLogKinds);
