import { aRole, aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { updateUser } from "./update-user";

export const sample = simpleSample(updateUser, async () => ({
  id: (await aUser()).userId,
  team: "Compilers",
  roleId: await aRole(),
}));
