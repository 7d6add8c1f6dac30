import { simpleSample } from "@/lib/testing/sample";
import { getEnvironmentUsers } from "./get-environment-users";

export const sample = simpleSample(getEnvironmentUsers, ({ environmentId }) => ({ environmentId }));
