import { uploadSample } from "@/lib/testing/releases";
import { abortUpload } from "./abort-upload";

export const sample = uploadSample(abortUpload);
