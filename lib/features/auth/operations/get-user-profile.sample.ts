import { simpleSample } from "@/lib/testing/sample";
import { getUserProfile } from "./get-user-profile";

export const sample = simpleSample(getUserProfile, () => ({}));
