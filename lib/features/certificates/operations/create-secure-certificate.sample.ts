import { certificateValue } from "@/lib/testing/certificates";
import { targetedSample } from "@/lib/testing/sample";
import { aKey } from "@/lib/testing/variables";
import { createSecureCertificate } from "./create-secure-certificate";

export const sample = targetedSample(
  createSecureCertificate,
  ({ environmentId }) => ({
    environmentId,
    name: "Push",
    key: aKey(),
    fileName: "leaf.pem",
    value: certificateValue("leaf.pem"),
  }),
  ({ verifiedAdmin }) => verifiedAdmin,
);
