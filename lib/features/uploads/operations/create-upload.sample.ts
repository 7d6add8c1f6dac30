import { simpleSample } from "@/lib/testing/sample";
import { createUpload } from "./create-upload";

export const sample = simpleSample(createUpload, () => ({ name: "Example.apk", size: 1_000 }));
