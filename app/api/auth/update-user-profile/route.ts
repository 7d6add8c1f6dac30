import { route } from "@/lib/api/route";
import { updateUserProfile } from "@/lib/features/auth/operations/update-user-profile";

export const POST = route(updateUserProfile);
