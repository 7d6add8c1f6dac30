import { newId } from "@/lib/kernel/ids";
import { followTransfer, recordVisit } from "@/lib/visits/record";
import { stepsUpTo } from "@/lib/visits/state";
import { namedVisitor } from "@/lib/visits/visitor";

/** Milliseconds between two visits, and between two pieces of a package. */
const INTERVAL_MS = 5;
const PIECE_BYTES = 1_000;

/**
 * Records a visit and a further piece of a package again and again until it is killed, and prints each visitor, and how many bytes were sent,
 * once it has recorded them: the program of a test.
 */
const [releaseId = "", downloader = ""] = process.argv.slice(2);
const file = { fileId: newId(), size: 1_000_000_000 };
const visit = { releaseId, visitor: namedVisitor(downloader), package: file };
recordVisit({ ...visit, at: new Date(), steps: stepsUpTo("begun", false), fromStore: false });
const bytesSent = followTransfer({ ...visit, start: 0 });
let sent = 0;
setInterval(() => {
  const visitor = namedVisitor(newId());
  recordVisit({ releaseId, visitor, at: new Date(), steps: ["opened"] });
  bytesSent(PIECE_BYTES);
  sent += PIECE_BYTES;
  process.stdout.write(`${visitor.id} ${sent}\n`);
}, INTERVAL_MS);
