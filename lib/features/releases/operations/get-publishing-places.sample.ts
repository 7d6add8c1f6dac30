import { simpleSample } from "@/lib/testing/sample";
import { getPublishingPlaces } from "./get-publishing-places";

export const sample = simpleSample(getPublishingPlaces, ({ app }) => ({ identifier: app.identifier }));
