import { openApiDocument } from "@/lib/api/openapi";
import { env } from "@/lib/env";
import { operations } from "@/lib/operations";

export const dynamic = "force-dynamic";

/** The API's OpenAPI 3.1 document, made from the operations themselves. */
export function GET(): Response {
  return Response.json(openApiDocument(operations, env.APP_URL), { headers: { "Cache-Control": "no-cache" } });
}
