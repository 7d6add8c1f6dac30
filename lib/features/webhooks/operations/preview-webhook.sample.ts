import { simpleSample } from "@/lib/testing/sample";

import { previewWebhook } from "./preview-webhook";

export const sample = simpleSample(previewWebhook, () => ({ format: "slack" as const }));
