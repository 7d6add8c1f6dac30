import { ANONYMOUS } from "@/lib/testing/console";
import { sealedPassword } from "@/lib/testing/password";
import { simpleSample } from "@/lib/testing/sample";
import { ADMIN_PASSWORD } from "@/lib/testing/world";
import { emailLogin } from "./email-login";

export const sample = simpleSample(
  emailLogin,
  async (world) => ({ email: world.admin.email, password: await sealedPassword(ADMIN_PASSWORD) }),
  () => ANONYMOUS,
);
