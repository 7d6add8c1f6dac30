import { ANONYMOUS } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { loginWithPasskey } from "./login-with-passkey";

export const sample = simpleSample(
  loginWithPasskey,
  () => ({}),
  () => ANONYMOUS,
);
