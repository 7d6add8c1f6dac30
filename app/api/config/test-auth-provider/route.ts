import { route } from "@/lib/api/route";
import { testAuthProvider } from "@/lib/features/auth-providers/operations/test-auth-provider";

export const POST = route(testAuthProvider);
