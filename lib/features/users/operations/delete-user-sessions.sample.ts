import { simpleSample } from "@/lib/testing/sample";
import { deleteUserSessions } from "./delete-user-sessions";

export const sample = simpleSample(deleteUserSessions, () => ({}));
