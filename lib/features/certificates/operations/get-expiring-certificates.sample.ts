import { simpleSample } from "@/lib/testing/sample";
import { getExpiringCertificates } from "./get-expiring-certificates";

export const sample = simpleSample(getExpiringCertificates, () => ({}));
