import { aFailedJob } from "@/lib/testing/jobs";
import { simpleSample } from "@/lib/testing/sample";
import { retryJob } from "./retry-job";

export const sample = simpleSample(retryJob, async () => ({ id: await aFailedJob("mail") }));
