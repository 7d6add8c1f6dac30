import { route } from "@/lib/api/route";
import { createPlatform } from "@/lib/features/platforms/operations/create-platform";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createPlatform);
