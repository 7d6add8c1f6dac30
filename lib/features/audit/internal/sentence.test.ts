import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isAudited } from "@/lib/api/operation";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { messagesFor } from "@/lib/kernel/i18n/translator";
import { operations } from "@/lib/operations";
import { missingAuditTexts } from "@/lib/testing/audit-texts";
import { sentenceOf } from "./sentence";

/** What is added to an action for a sentence that fits some records better. */
const VARIANT = /-(own|all|of|unnamed|between)$/;

const MISSING = "missing in the files of messages/";

const declared = Object.values(operations).filter(isAudited);

it.each(declared.map((operation) => [`${operation.area}/${operation.name}`, operation.audit] as const))(
  "the records of %s have a sentence",
  (_, audit) => expect(missingAuditTexts(audit), MISSING).toEqual([]),
);

it("the records that are written besides those of operations have a sentence", () => {
  const files = globSync(["lib/{auth,server,features}/**/*.ts", "scripts/*.ts"]).filter(
    (file) => !/\.test\./.test(file),
  );
  const kinds = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/table: "([A-Z]\w+)",\s+action: "([a-z-]+)"/g)].map(
      ([, table, action]) => ({
        file,
        table: table as string,
        action: action as string,
      }),
    ),
  );
  expect(kinds.length).toBeGreaterThan(declared.length / 2);
  const missing = kinds.flatMap((kind) => missingAuditTexts(kind).map((key) => `${kind.file}: ${key}`));
  expect(missing, MISSING).toEqual([]);
});

it("every sentence is of a table and an action with a label, and every label is used", () => {
  const { sentences, tables, actions } = messagesFor("en").auditLog;
  const kinds = Object.entries(sentences).flatMap(([table, texts]) =>
    Object.keys(texts).map((name) => ({ table, action: name.replace(VARIANT, "") })),
  );
  expect(kinds.flatMap(missingAuditTexts), MISSING).toEqual([]);
  expect(Object.keys(tables).toSorted(), "labels of auditLog.tables, and those that sentences use").toEqual(
    [...new Set(kinds.map(({ table }) => table))].sort(),
  );
  expect(Object.keys(actions).toSorted(), "labels of auditLog.actions, and those that sentences use").toEqual(
    [...new Set(kinds.map(({ action }) => action))].sort(),
  );
});

const RECORD = {
  id: 1,
  userId: "u",
  userName: null,
  userEmail: null,
  tokenId: null,
  tokenName: null,
  table: "",
  recordId: "r",
  action: "",
  eventDate: "",
  changes: {},
  actorName: "Ada",
  recordName: "Atlas",
  place: null,
  ip: null,
  isOfPlace: false,
};

it.each(LOCALES)("a promotion in %s names its files, and from where and to where they went", (locale) => {
  const promotion = {
    ...RECORD,
    table: "Release",
    action: "promote",
    recordName: "Android, iOS 3.2.1 (326)",
    place: { app: "Atlas", environment: "Production" },
  };
  const changes = { fromEnvironments: [null, ["QA", "Staging"]] as [null, string[]] };
  const sentence = sentenceOf({ ...promotion, changes }, locale);
  for (const part of ["Ada", "Android, iOS 3.2.1 (326)", "QA, Staging", "Production"]) expect(sentence).toContain(part);
  // Records of earlier versions do not tell from where.
  expect(sentenceOf(promotion, locale)).not.toContain("Production");
});

it.each(LOCALES)("every sentence in %s names the object if the record is about one that has a name", (locale) => {
  const withoutObject = Object.entries(messagesFor(locale).auditLog.sentences).flatMap(([table, texts]) =>
    Object.keys(texts)
      .filter((action) => !VARIANT.test(action))
      .filter((action) => !sentenceOf({ ...RECORD, table, action }, locale).includes("Atlas"))
      .map((action) => `${table}.${action}`),
  );
  expect([...new Set(withoutObject.map((name) => name.split(".")[0]))]).toEqual([
    "AppConfig",
    "AuditRecord",
    "CalendarFeed",
    "Device",
    "File",
    "License",
    "Passkey",
    "PushSubscription",
    "RecoveryCode",
    "ReleaseFeed",
    "ServerKey",
    "Session",
    "TwoFactor",
    "Upload",
    "User",
  ]);
});
