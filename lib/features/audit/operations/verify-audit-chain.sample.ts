import { simpleSample } from "@/lib/testing/sample";
import { verifyAuditChain } from "./verify-audit-chain";

export const sample = simpleSample(verifyAuditChain, () => ({}));
