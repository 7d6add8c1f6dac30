/** How often a line is written where there is no terminal, in milliseconds. */
const LINE_INTERVAL_MS = 5_000;
const BAR_WIDTH = 30;

/** The progress of a command on stderr: a bar on a terminal, a line every 5 seconds elsewhere. */
export interface Progress {
  update(done: number, total: number): void;
  /** Leaves the bar, so that what is written next starts a line. */
  end(): void;
}

/** @param verb what happens to the items, such as `opened` */
export function reportProgress(verb: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  let writtenAt = performance.now();
  let isBarShown = false;
  return {
    update(done, total) {
      if (total === 0) return;
      const share = Math.min(done / total, 1);
      if (stream.isTTY) {
        const filled = Math.round(share * BAR_WIDTH);
        const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
        stream.write(`\r${bar} ${Math.floor(share * 100)}% (${done} of ${total} ${verb})`);
        isBarShown = true;
      } else if (performance.now() - writtenAt >= LINE_INTERVAL_MS) {
        writtenAt = performance.now();
        stream.write(`${done} of ${total} ${verb}\n`);
      }
    },
    end() {
      if (isBarShown) stream.write("\n");
    },
  };
}
