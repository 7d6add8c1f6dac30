import { route } from "@/lib/api/route";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";

export const GET = route(getUserProfile);
