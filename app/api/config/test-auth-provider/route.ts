import { route } from "@/lib/api/route";
import { testAuthProvider } from "@/lib/features/auth-providers/operations/test-auth-provider";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(testAuthProvider);
