import { simpleSample } from "@/lib/testing/sample";
import { getUserPasskeys } from "./get-user-passkeys";

export const sample = simpleSample(getUserPasskeys, () => ({}));
