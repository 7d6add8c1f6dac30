import { route } from "@/lib/api/route";
import { verifyAuditChain } from "@/lib/features/audit/operations/verify-audit-chain";

export const POST = route(verifyAuditChain);
