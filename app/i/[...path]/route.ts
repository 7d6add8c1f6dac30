/** The pages of share links, which the feature writes itself: lib/features/share-links/routes.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
