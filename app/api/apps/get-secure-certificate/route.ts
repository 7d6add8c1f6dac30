import { route } from "@/lib/api/route";
import { getSecureCertificate } from "@/lib/features/certificates/operations/get-secure-certificate";

export const GET = route(getSecureCertificate);
