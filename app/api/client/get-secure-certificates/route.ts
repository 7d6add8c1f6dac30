import { route } from "@/lib/api/route";
import { getClientSecureCertificates } from "@/lib/features/client/operations/get-secure-certificates";

export const GET = route(getClientSecureCertificates);
