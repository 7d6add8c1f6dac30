import { simpleSample } from "@/lib/testing/sample";
import { aToolRequest } from "@/lib/testing/tool-sign-in";
import { authorizeTool } from "./authorize-tool";

export const sample = simpleSample(authorizeTool, () => aToolRequest().input);
