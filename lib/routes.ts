import "server-only";
import { OPENAPI_LIMIT, openApiReader } from "@/lib/api/openapi";
import { noRoute, plainRoute } from "@/lib/api/route";
import { operationRoutes } from "@/lib/api/routes";
import { compatBelow, compatRoutes } from "@/lib/compat/routes";
import {
  ENROLLMENT_ANSWER_PATH,
  ENROLLMENT_PATH,
  handleEnrollmentAnswer,
  handleEnrollmentPages,
} from "@/lib/features/devices/routes";
import { handleShareLinks, SHARE_LINK_PATH } from "@/lib/features/share-links/routes";
import { handleSso } from "@/lib/features/sso/routes";
import { handleReturnedMail, handleTesterPages, RETURNED_MAIL_PATH, TESTER_PATH } from "@/lib/features/testers/routes";
import type { Handler, Route, Routes } from "@/lib/http/routes";
import { env } from "@/lib/kernel/env";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { readMetrics } from "@/lib/monitoring/metrics";
import { operations } from "@/lib/operations";
import { readReadiness } from "@/lib/server/readiness";

function readable(handle: Handler): Route {
  return { methods: ["GET", "HEAD"], handle };
}

/** All routes of the API: the operations, and what is read without being one. */
export const routes: Routes = {
  byPath: {
    ...compatRoutes,
    ...operationRoutes(Object.values(operations)),
    [RETURNED_MAIL_PATH]: { methods: ["POST"], handle: handleReturnedMail },
    [ENROLLMENT_ANSWER_PATH]: { methods: ["POST"], handle: handleEnrollmentAnswer },
    "/api/health/live": readable(
      plainRoute(() => ({
        status: 200,
        headers: { "Content-Type": "application/json", "Cache-Control": "no-store" },
        body: '{"status":"live"}',
      })),
    ),
    "/api/health/ready": readable(plainRoute(readReadiness)),
    "/api/metrics": readable(plainRoute(readMetrics)),
    "/api/openapi.json": readable(
      plainRoute(
        openApiReader(operations, () => env.APP_URL),
        OPENAPI_LIMIT,
      ),
    ),
  },
  below: {
    "/api/sso/": handleSso,
    [SHARE_LINK_PATH]: handleShareLinks,
    [TESTER_PATH]: handleTesterPages,
    [ENROLLMENT_PATH]: handleEnrollmentPages,
    ...compatBelow,
  },
  otherwise: noRoute,
  pages: [PAGES.apiReference],
};
