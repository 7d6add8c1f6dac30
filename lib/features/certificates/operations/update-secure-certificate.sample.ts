import { certificateSampleOf } from "@/lib/testing/certificates";
import { updateSecureCertificate } from "./update-secure-certificate";

export const sample = certificateSampleOf(updateSecureCertificate, { name: "Another name" });
