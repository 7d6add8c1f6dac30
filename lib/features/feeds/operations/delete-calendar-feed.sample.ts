import { simpleSample } from "@/lib/testing/sample";
import { deleteCalendarFeed } from "./delete-calendar-feed";

export const sample = simpleSample(deleteCalendarFeed, () => ({}));
