import { simpleSample } from "@/lib/testing/sample";
import { getCalendarFeed } from "./get-calendar-feed";

export const sample = simpleSample(getCalendarFeed, () => ({}));
