import { simpleSample } from "@/lib/testing/sample";
import { aToolRequest } from "@/lib/testing/tool-sign-in";
import { getToolSignIn } from "./get-tool-sign-in";

export const sample = simpleSample(getToolSignIn, () => aToolRequest().input);
