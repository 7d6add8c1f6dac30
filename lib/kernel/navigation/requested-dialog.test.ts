import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialogPath, REQUESTABLE_DIALOGS, requestedDialog, withoutRequest } from "./requested-dialog";
import { safePath } from "./safe-path";

const queryOf = (path: string) => new URL(path, "https://console.invalid").searchParams;
const paths = fc
  .tuple(
    fc.constantFrom("/admin-apps", "/environment-app"),
    fc.dictionary(fc.constantFrom("app", "environment", "tab", "search"), fc.string({ minLength: 1, maxLength: 8 })),
    fc.constantFrom("", "#ci"),
  )
  .map(([pathname, query, hash]) => {
    const search = new URLSearchParams(query);
    return `${pathname}${search.size > 0 ? `?${search}` : ""}${hash}`;
  });

describe("the dialog that an address asks for", () => {
  it("is read from the address, which without the request is as before", () => {
    fc.assert(
      fc.property(
        paths,
        fc.constantFrom(...REQUESTABLE_DIALOGS),
        fc.dictionary(fc.constantFrom("purpose", "environment"), fc.string({ maxLength: 8 })),
        (path, dialog, details) => {
          const requesting = dialogPath(path, dialog, details);
          expect(requestedDialog(queryOf(requesting))).toBe(dialog);
          for (const [name, value] of Object.entries(details)) {
            expect(queryOf(requesting).get(`open.${name}`)).toBe(value);
          }
          expect(withoutRequest(new URL(requesting, "https://console.invalid"))).toBe(
            withoutRequest(new URL(path, "https://console.invalid")),
          );
        },
      ),
    );
  });

  it("survives the way through the sign-in", () => {
    for (const dialog of REQUESTABLE_DIALOGS) {
      const path = dialogPath("/environment-app?app=1&environment=2", dialog, { purpose: "server" });
      expect(safePath(path)).toBe(path);
    }
  });

  it("is none if the name is unknown, empty or given twice", () => {
    for (const query of ["", "open=", "open=delete-app", "open=toString", "open=invite&open=upload", "Open=invite"]) {
      expect(requestedDialog(new URLSearchParams(query)), query).toBeNull();
    }
  });
});
