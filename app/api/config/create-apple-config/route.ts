import { route } from "@/lib/api/route";
import { createAppleConfig } from "@/lib/features/auth-providers/operations/create-apple-config";

export const POST = route(createAppleConfig);
