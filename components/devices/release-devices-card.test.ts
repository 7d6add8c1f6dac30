import { NextIntlClientProvider } from "next-intl";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import messages from "@/messages/en.json";
import { ReleaseDevicesCard, type ReleaseDevicesCardProps } from "./release-devices-card";

const OPENED = {
  device: { os: "ios", osVersion: "18.1", model: null },
  verdict: "installs",
  codes: [],
  devices: 0,
  people: 1,
};
/** Somebody opened the release, and no tester of the environment has a registered device. */
const matrix = { items: [OPENED], total: 0, verdicts: { installs: 0, installs_after_steps: 0 } };

function card(coverage: { covered: number; notCovered: number; unknownUdids: number } | null): string {
  const props = { release: { id: "r", name: "2.4.0 (118)", environmentId: "e" }, matrix, coverage, isAdmin: false };
  const children = createElement(ReleaseDevicesCard, props as unknown as ReleaseDevicesCardProps);
  return renderToStaticMarkup(
    createElement(NextIntlClientProvider, { locale: "en", messages, timeZone: "UTC", children }),
  );
}

it("does not say that testers have no devices where others are registered", () => {
  const none = messages.install.matrix.none;
  expect(card({ covered: 6, notCovered: 0, unknownUdids: 0 })).not.toContain(none);
  expect(card({ covered: 0, notCovered: 0, unknownUdids: 2 })).toContain(none);
  expect(card(null)).toContain(none);
});
