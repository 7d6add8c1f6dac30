import { aUser, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { logout } from "./logout";

export const sample = customSample(logout, {
  input: () => ({}),
  arrange: async (_world, owner) => {
    const leaver = owner ?? (await aUser({ admin: true }));
    return (sender = leaver) => send(logout, sender);
  },
});
