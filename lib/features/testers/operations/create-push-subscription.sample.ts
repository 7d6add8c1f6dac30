import { aPushEndpoint } from "@/lib/testing/push";
import { simpleSample } from "@/lib/testing/sample";
import { createPushSubscription } from "./create-push-subscription";

export const sample = simpleSample(createPushSubscription, () => aPushEndpoint());
