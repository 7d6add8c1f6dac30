import { simpleSample } from "@/lib/testing/sample";
import { getMailState } from "./get-mail-state";

export const sample = simpleSample(getMailState, () => ({}));
