import { route } from "@/lib/api/route";
import { getExpiringCertificates } from "@/lib/features/certificates/operations/get-expiring-certificates";

export const GET = route(getExpiringCertificates);
