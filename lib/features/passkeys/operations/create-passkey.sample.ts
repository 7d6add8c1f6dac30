import { simpleSample } from "@/lib/testing/sample";
import { createPasskey } from "./create-passkey";

export const sample = simpleSample(createPasskey, () => ({}));
