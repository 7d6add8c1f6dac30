import { NextIntlClientProvider } from "next-intl";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { ReleasePerson } from "@/lib/features/installs/schema";
import messages from "@/messages/en.json";
import { Person } from "./people-dialog";

it("says of somebody who got the whole package that the download is complete, not that they have the app", () => {
  const person: ReleasePerson = {
    user: { id: "u", name: "Ada Lovelace", email: "ada@example.com" },
    release: { id: "r", version: "2.4.0", buildNumber: "118" },
    step: "complete",
    complete: true,
    codes: [],
    os: "ios",
    osVersion: "18.1",
    model: "iPhone15,2",
    modelName: "iPhone 14 Pro",
    openedAt: "2026-03-01T12:00:00.000Z",
    completeAt: "2026-03-01T12:05:00.000Z",
    lastAt: "2026-03-01T12:05:00.000Z",
  };
  const children = createElement(Person, { person, withRelease: false });
  const now = new Date("2026-03-01T13:00:00.000Z");
  const html = renderToStaticMarkup(
    createElement(NextIntlClientProvider, { locale: "en", messages, timeZone: "UTC", now, children }),
  );
  expect(html).toContain(">Download complete · iPhone 14 Pro · ");
});
