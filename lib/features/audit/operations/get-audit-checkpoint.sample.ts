import { simpleSample } from "@/lib/testing/sample";
import { getAuditCheckpoint } from "./get-audit-checkpoint";

export const sample = simpleSample(getAuditCheckpoint, () => ({}));
