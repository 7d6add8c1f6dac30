import { newPasswordLink } from "@/lib/auth/password-links";
import { db } from "@/lib/db/client";
import { ANONYMOUS, aUser } from "@/lib/testing/console";
import { sealedPassword } from "@/lib/testing/password";
import { simpleSample } from "@/lib/testing/sample";
import { updatePassword } from "./update-password";

export const sample = simpleSample(
  updatePassword,
  async () => {
    const { userId } = await aUser();
    const link = await newPasswordLink(db, { purpose: "recovery", userId, now: new Date() });
    return {
      token: new URL(link).searchParams.get("token") as string,
      password: await sealedPassword("correct horse battery"),
    };
  },
  () => ANONYMOUS,
);
