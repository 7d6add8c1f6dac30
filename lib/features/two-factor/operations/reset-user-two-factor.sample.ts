import { aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { resetUserTwoFactor } from "./reset-user-two-factor";

export const sample = simpleSample(resetUserTwoFactor, async () => {
  const user = await aUser();
  await withTwoFactor(user);
  return { id: user.userId };
});
