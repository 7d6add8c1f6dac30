import { route } from "@/lib/api/route";
import { updateAuthProvider } from "@/lib/features/auth-providers/operations/update-auth-provider";

export const POST = route(updateAuthProvider);
