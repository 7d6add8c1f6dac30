import { route } from "@/lib/api/route";
import { generatePasswordRecovery } from "@/lib/features/passwords/operations/generate-password-recovery";

export const POST = route(generatePasswordRecovery);
