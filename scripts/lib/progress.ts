/** The interval between two lines if the output is not a terminal. */
const LINE_INTERVAL_MS = 5_000;
const BAR_WIDTH = 30;

/** Reports the progress of a command: as a bar on a terminal, otherwise as a line every 5 seconds. */
export interface Progress {
  update(done: number, total: number): void;
  /** Ends the line of the bar. */
  end(): void;
}

/**
 * @param verb the past participle of what is done with the items, such as `opened`
 * @param stream by default, standard error
 */
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
