import { ANONYMOUS } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getPasskeyOffer } from "./get-passkey-offer";

export const sample = simpleSample(
  getPasskeyOffer,
  () => ({}),
  () => ANONYMOUS,
);
