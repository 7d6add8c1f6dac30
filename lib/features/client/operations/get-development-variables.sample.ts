import { clientSample } from "@/lib/testing/client";
import { getClientDevelopmentVariables } from "./get-development-variables";

export const sample = clientSample(getClientDevelopmentVariables, {}, ["dev-variable"]);
