import { simpleSample } from "@/lib/testing/sample";
import { updateUserProfile } from "./update-user-profile";

export const sample = simpleSample(updateUserProfile, () => ({ firstNames: "Ada", lastNames: "King" }));
