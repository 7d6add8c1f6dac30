import { uploadSample } from "@/lib/testing/releases";
import { getUpload } from "./get-upload";

export const sample = uploadSample(getUpload);
