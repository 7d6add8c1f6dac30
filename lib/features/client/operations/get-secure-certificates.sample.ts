import { clientSample } from "@/lib/testing/client";
import { getClientSecureCertificates } from "./get-secure-certificates";

export const sample = clientSample(getClientSecureCertificates, {}, ["secure-certificate"]);
