import { simpleSample } from "@/lib/testing/sample";
import { getAppleRegistrations } from "./get-apple-registrations";

export const sample = simpleSample(getAppleRegistrations, () => ({}));
