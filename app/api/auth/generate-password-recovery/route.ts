import { route } from "@/lib/api/route";
import { generatePasswordRecovery } from "@/lib/features/passwords/operations/generate-password-recovery";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(generatePasswordRecovery);
