import { OPENAPI_LIMIT, openApiReader } from "@/lib/api/openapi";
import { plainRoute } from "@/lib/api/route";
import { env } from "@/lib/kernel/env";
import { operations } from "@/lib/operations";

export const dynamic = "force-dynamic";

/** The API's OpenAPI 3.1 document, generated from the operations. */
export const GET = plainRoute(
  openApiReader(operations, () => env.APP_URL),
  OPENAPI_LIMIT,
);
