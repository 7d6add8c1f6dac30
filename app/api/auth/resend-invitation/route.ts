import { route } from "@/lib/api/route";
import { resendInvitation } from "@/lib/features/passwords/operations/resend-invitation";

export const POST = route(resendInvitation);
