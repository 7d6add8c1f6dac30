import { simpleSample } from "@/lib/testing/sample";
import { createCalendarFeed } from "./create-calendar-feed";

export const sample = simpleSample(createCalendarFeed, () => ({}));
