import { simpleSample } from "@/lib/testing/sample";
import { getRolePermissions } from "./get-role-permissions";

export const sample = simpleSample(getRolePermissions, () => ({}));
