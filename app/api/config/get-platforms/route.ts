import { route } from "@/lib/api/route";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";

export const GET = route(getPlatforms);
