import { simpleSample } from "@/lib/testing/sample";
import { renderReleaseNotes } from "./render-release-notes";

export const sample = simpleSample(renderReleaseNotes, () => ({ description: "- **Offline maps**" }));
