import { aPermission } from "@/lib/testing/permissions";
import { simpleSample } from "@/lib/testing/sample";
import { updateRolePermission } from "./update-role-permission";

export const sample = simpleSample(updateRolePermission, async (world) => ({
  id: await aPermission(world.admin),
  scopes: ["release:create" as const],
}));
