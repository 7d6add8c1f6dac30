import { route } from "@/lib/api/route";
import { getAuditChain } from "@/lib/features/audit/operations/get-audit-chain";

export const GET = route(getAuditChain);
