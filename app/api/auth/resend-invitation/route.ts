import { route } from "@/lib/api/route";
import { resendInvitation } from "@/lib/features/passwords/operations/resend-invitation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(resendInvitation);
