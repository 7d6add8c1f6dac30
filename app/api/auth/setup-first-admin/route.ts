import { route } from "@/lib/api/route";
import { setupFirstAdmin } from "@/lib/features/auth/operations/setup-first-admin";

export const POST = route(setupFirstAdmin);
