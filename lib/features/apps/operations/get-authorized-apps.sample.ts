import { simpleSample } from "@/lib/testing/sample";
import { getAuthorizedApps } from "./get-authorized-apps";

export const sample = simpleSample(getAuthorizedApps, () => ({}));
