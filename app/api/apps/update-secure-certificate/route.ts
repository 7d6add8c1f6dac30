import { route } from "@/lib/api/route";
import { updateSecureCertificate } from "@/lib/features/certificates/operations/update-secure-certificate";

export const POST = route(updateSecureCertificate);
