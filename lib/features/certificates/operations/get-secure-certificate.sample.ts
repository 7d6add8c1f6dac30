import { certificateSampleOf } from "@/lib/testing/certificates";
import { getSecureCertificate } from "./get-secure-certificate";

export const sample = certificateSampleOf(getSecureCertificate);
