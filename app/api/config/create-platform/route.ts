import { route } from "@/lib/api/route";
import { createPlatform } from "@/lib/features/platforms/operations/create-platform";

export const POST = route(createPlatform);
