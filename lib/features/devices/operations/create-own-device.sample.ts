import { simpleSample } from "@/lib/testing/sample";
import { createOwnDevice } from "./create-own-device";

export const sample = simpleSample(createOwnDevice, () => ({ name: "Pixel of Ada", model: "Pixel 8" }));
