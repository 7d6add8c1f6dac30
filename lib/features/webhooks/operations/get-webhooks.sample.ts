import { simpleSample } from "@/lib/testing/sample";

import { getWebhooks } from "./get-webhooks";

export const sample = simpleSample(getWebhooks, () => ({}));
