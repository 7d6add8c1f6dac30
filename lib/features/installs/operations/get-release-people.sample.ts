import { targetedSample } from "@/lib/testing/sample";
import { getReleasePeople } from "./get-release-people";

export const sample = targetedSample(getReleasePeople, ({ environmentId }) => ({ environmentId }));
