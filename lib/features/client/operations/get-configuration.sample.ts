import { clientSample } from "@/lib/testing/client";
import { getConfiguration } from "./get-configuration";

export const sample = clientSample(getConfiguration, {}, ["dev-variable", "secure-variable", "secure-certificate"]);
