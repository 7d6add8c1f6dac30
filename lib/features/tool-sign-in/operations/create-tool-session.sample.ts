import { ANONYMOUS, aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { anAuthorizedTool } from "@/lib/testing/tool-sign-in";
import { createToolSession } from "./create-tool-session";

export const sample = simpleSample(
  createToolSession,
  async () => anAuthorizedTool(await aUser()),
  () => ANONYMOUS,
);
