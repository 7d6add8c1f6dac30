import { NextIntlClientProvider } from "next-intl";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import messages from "@/messages/es.json";
import { ChangesPreview } from "./changes-preview";

const NOTHING = { created: 0, updated: 0, unchanged: 0, removed: 0 };

function counts(counted: Partial<typeof NOTHING>): string | undefined {
  const preview = { dryRun: true, changes: [], errors: [], valuesOmitted: false, ...NOTHING, ...counted } as never;
  const children = createElement(ChangesPreview, { kind: "development-variable" as never, preview });
  const html = renderToStaticMarkup(
    createElement(NextIntlClientProvider, { locale: "es", messages, timeZone: "UTC", children }),
  );
  return /role="status"[^>]*>([^<]*)</.exec(html)?.[1];
}

it("counts the changes of an import in the singular and the plural, without those that there are none of", () => {
  expect(counts({ created: 1, updated: 2 })).toBe("1 añadida y 2 modificadas");
  expect(counts({ created: 20, removed: 1, unchanged: 3 })).toBe("20 añadidas, 3 sin cambios y 1 eliminada");
  expect(counts({})).toBe("0 sin cambios");
});
