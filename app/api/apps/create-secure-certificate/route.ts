import { route } from "@/lib/api/route";
import { createSecureCertificate } from "@/lib/features/certificates/operations/create-secure-certificate";

export const POST = route(createSecureCertificate);
