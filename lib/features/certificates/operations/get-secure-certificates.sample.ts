import { targetedSample } from "@/lib/testing/sample";
import { getSecureCertificates } from "./get-secure-certificates";

export const sample = targetedSample(
  getSecureCertificates,
  ({ environmentId }) => ({ environmentId }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
