import { simpleSample } from "@/lib/testing/sample";
import { updatePlatform } from "./update-platform";

const IOS_PLATFORM = "019a0000-0000-7000-8000-000000000011";

export const sample = simpleSample(updatePlatform, () => ({ id: IOS_PLATFORM, status: "active" as const }));
