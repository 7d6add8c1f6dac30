import { simpleSample } from "@/lib/testing/sample";
import { getRoles } from "./get-roles";

export const sample = simpleSample(getRoles, () => ({}));
