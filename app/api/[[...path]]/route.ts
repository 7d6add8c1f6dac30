import { noRoute } from "@/lib/api/route";

/** Every path under /api that belongs to no operation. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRoute;
