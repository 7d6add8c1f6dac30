import { clientSample } from "@/lib/testing/client";
import { getClientSecureVariables } from "./get-secure-variables";

export const sample = clientSample(getClientSecureVariables, {}, ["secure-variable"]);
