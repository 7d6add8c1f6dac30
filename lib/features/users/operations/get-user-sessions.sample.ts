import { simpleSample } from "@/lib/testing/sample";
import { getUserSessions } from "./get-user-sessions";

export const sample = simpleSample(getUserSessions, () => ({}));
