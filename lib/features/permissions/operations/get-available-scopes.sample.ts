import { simpleSample } from "@/lib/testing/sample";
import { getAvailableScopes } from "./get-available-scopes";

export const sample = simpleSample(getAvailableScopes, () => ({}));
