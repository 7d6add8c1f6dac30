import { signedLicense } from "@/lib/testing/license";
import { simpleSample } from "@/lib/testing/sample";
import { updateLicense } from "./update-license";

export const sample = simpleSample(updateLicense, () => ({ token: signedLicense() }));
