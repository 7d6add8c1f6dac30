import { route } from "@/lib/api/route";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getPlatforms);
