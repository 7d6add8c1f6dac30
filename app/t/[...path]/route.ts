/** The pages of testers without an account, which the feature writes itself: lib/features/testers/routes.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
