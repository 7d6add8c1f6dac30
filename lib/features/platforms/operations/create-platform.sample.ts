import { randomUUID } from "node:crypto";
import { aPicture } from "@/lib/testing/pictures";
import { simpleSample } from "@/lib/testing/sample";
import { createPlatform } from "./create-platform";

export const sample = simpleSample(createPlatform, async (world) => ({
  name: `Platform ${randomUUID()}`,
  logoFileId: await aPicture(world.admin),
  status: "active" as const,
}));
