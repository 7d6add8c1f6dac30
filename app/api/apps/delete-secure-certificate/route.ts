import { route } from "@/lib/api/route";
import { deleteSecureCertificate } from "@/lib/features/certificates/operations/delete-secure-certificate";

export const POST = route(deleteSecureCertificate);
