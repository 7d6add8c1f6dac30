import { aPermission } from "@/lib/testing/permissions";
import { simpleSample } from "@/lib/testing/sample";
import { deleteRolePermission } from "./delete-role-permission";

export const sample = simpleSample(deleteRolePermission, async (world) => ({
  id: await aPermission(world.admin),
}));
