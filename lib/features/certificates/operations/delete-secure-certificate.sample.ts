import { certificateSampleOf } from "@/lib/testing/certificates";
import { deleteSecureCertificate } from "./delete-secure-certificate";

export const sample = certificateSampleOf(deleteSecureCertificate);
