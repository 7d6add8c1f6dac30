import { route } from "@/lib/api/route";
import { getSecureCertificates } from "@/lib/features/certificates/operations/get-secure-certificates";

export const GET = route(getSecureCertificates);
