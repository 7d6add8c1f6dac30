import { aUser, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { enrollTwoFactor } from "./enroll-two-factor";

export const sample = customSample(enrollTwoFactor, {
  input: () => ({}),
  arrange: async (_world, owner) => {
    const user = owner ?? (await aUser({ admin: true }));
    return (sender = user) => send(enrollTwoFactor, sender);
  },
});
