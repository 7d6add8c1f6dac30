import { ANONYMOUS } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getSetupState } from "./get-setup-state";

export const sample = simpleSample(
  getSetupState,
  () => ({}),
  () => ANONYMOUS,
);
