/** The operations: POST /api/apps/create-app is lib/features/apps/operations/create-app.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
