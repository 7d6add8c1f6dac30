import { targetedSample } from "@/lib/testing/sample";
import { getBin } from "./get-bin";

export const sample = targetedSample(getBin, ({ environmentId }) => ({ environmentId }));
