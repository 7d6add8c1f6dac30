import { simpleSample } from "@/lib/testing/sample";
import { getAuthProviders } from "./get-auth-providers";

export const sample = simpleSample(getAuthProviders, () => ({}));
