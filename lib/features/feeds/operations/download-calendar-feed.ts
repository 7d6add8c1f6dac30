import "server-only";
import { orNotFound } from "@/lib/api/list";
import { defineDownload } from "@/lib/api/operation";
import { listExpiring } from "@/lib/expiry/expiring";
import { contentDisposition } from "@/lib/http/content-disposition";
import { openFeed } from "../data";
import { feedReply } from "../internal/addresses";
import { expiryCalendar } from "../internal/calendar";
import { CALENDAR_DAYS, CALENDAR_EVENTS, readFeedInput } from "../schema";

const CONTENT_TYPE = "text/calendar; charset=utf-8";

/** What ends, of what the owner of a calendar may see, as iCalendar. The secret address is the only key. */
export const downloadCalendarFeed = defineDownload({
  area: "expiry",
  name: "download-calendar-feed",
  summary: "Read a calendar of expiration dates by its secret address",
  access: "public",
  input: readFeedInput,
  contentTypes: [CONTENT_TYPE],
  errors: ["not_found"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  async handler({ input: { token }, db, request }) {
    const { now } = request;
    const { rights, locale, console } = orNotFound(await openFeed(db, "calendar", token, now));
    const viewer = { ...rights, secondFactor: rights.hasSecondFactor };
    const { items } = await listExpiring(db, viewer, { within: CALENDAR_DAYS, now, limit: CALENDAR_EVENTS });
    const text = expiryCalendar(items, { locale: locale ?? request.locale, console, now });
    return feedReply(CONTENT_TYPE, text, { "Content-Disposition": contentDisposition("expiration-dates.ics") });
  },
});
