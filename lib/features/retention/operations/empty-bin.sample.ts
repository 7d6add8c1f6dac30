import { targetedSample } from "@/lib/testing/sample";
import { emptyBin } from "./empty-bin";

export const sample = targetedSample(emptyBin, ({ environmentId }) => ({ environmentId }));
