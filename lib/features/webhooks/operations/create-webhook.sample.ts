import { simpleSample } from "@/lib/testing/sample";

import { createWebhook } from "./create-webhook";

export const sample = simpleSample(createWebhook, () => ({
  name: "Builds",
  url: "https://receiver.example/hooks",
  events: ["release.published"],
}));
