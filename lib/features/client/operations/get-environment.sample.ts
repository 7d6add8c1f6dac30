import { clientSample } from "@/lib/testing/client";
import { getClientEnvironment } from "./get-environment";

export const sample = clientSample(getClientEnvironment);
