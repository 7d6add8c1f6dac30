import type { Messages } from "@/lib/kernel/i18n/translator";

type QueueLabel = keyof Messages["health"]["queues"];

const LABELS: Record<string, QueueLabel> = {
  mail: "mail",
  sweep: "sweep",
  "certificate-expiry": "certificateExpiry",
  "token-expiry": "tokenExpiry",
  "expiry-mails": "expiryMails",
  webhooks: "webhooks",
  distributions: "distributions",
  retention: "retention",
  bin: "bin",
  "tester-mails": "testerMails",
  "install-check": "installCheck",
  "apple-registrations": "appleRegistrations",
  "installer-facts": "installerFacts",
  "universal-apks": "universalApks",
  "tester-pushes": "testerPushes",
  "audit-verification-new": "auditNew",
  "audit-verification-all": "auditAll",
};

/** The key of a queue's name in the messages. A newer version may have queues that this one does not know. */
export function queueLabel(queue: string): QueueLabel {
  return LABELS[queue] ?? "other";
}
