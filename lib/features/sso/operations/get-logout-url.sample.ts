import { simpleSample } from "@/lib/testing/sample";
import { getLogoutUrl } from "./get-logout-url";

export const sample = simpleSample(getLogoutUrl, () => ({}));
