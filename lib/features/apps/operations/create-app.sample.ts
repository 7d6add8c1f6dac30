import { simpleSample } from "@/lib/testing/sample";
import { createApp } from "./create-app";

export const sample = simpleSample(createApp, () => ({ name: "Notes", identifier: `com.example.n${Date.now()}` }));
