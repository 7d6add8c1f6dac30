import { simpleSample } from "@/lib/testing/sample";
import { getAuditChain } from "./get-audit-chain";

export const sample = simpleSample(getAuditChain, () => ({}));
