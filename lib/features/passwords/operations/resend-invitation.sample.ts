import { aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { resendInvitation } from "./resend-invitation";

export const sample = simpleSample(resendInvitation, async () => {
  const { userId } = await aUser();
  return { id: userId };
});
