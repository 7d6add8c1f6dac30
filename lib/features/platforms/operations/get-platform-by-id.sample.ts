import { simpleSample } from "@/lib/testing/sample";
import { getPlatformById } from "./get-platform-by-id";

const IOS_PLATFORM = "019a0000-0000-7000-8000-000000000011";

export const sample = simpleSample(getPlatformById, () => ({ id: IOS_PLATFORM }));
