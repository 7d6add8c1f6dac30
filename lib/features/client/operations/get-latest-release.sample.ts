import { clientSample } from "@/lib/testing/client";
import { getLatestRelease } from "./get-latest-release";

export const sample = clientSample(getLatestRelease, { platform: "ios" });
