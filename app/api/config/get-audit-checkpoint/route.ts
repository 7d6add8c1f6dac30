import { route } from "@/lib/api/route";
import { getAuditCheckpoint } from "@/lib/features/audit/operations/get-audit-checkpoint";

export const GET = route(getAuditCheckpoint);
