import { ANONYMOUS } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getPasswordLink } from "./get-password-link";

export const sample = simpleSample(
  getPasswordLink,
  () => ({ token: "unknown" }),
  () => ANONYMOUS,
);
