import { simpleSample } from "@/lib/testing/sample";
import { getUsers } from "./get-users";

export const sample = simpleSample(getUsers, () => ({}));
