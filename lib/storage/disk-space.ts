import { StorageError } from "./driver";
import { Turns } from "./turns";

const MIB = 1024 * 1024;
/** Bytes that all writers together may write between two looks at the file system. */
const BUDGET_BYTES = 8 * MIB;
/** Bytes by which the claim of an object of unknown size grows. */
const CLAIM_STEP_BYTES = 16 * MIB;

/** What statfs(2) says of a file system. */
export interface FileSystemStats {
  /** Blocks that an ordinary user may still take. */
  bavail: number;
  /** Bytes of a block. */
  bsize: number;
}

export interface DiskSpaceOptions {
  /** Bytes that uploads leave free for what else lives on the file system. */
  reserveBytes: number;
  statfs(): Promise<FileSystemStats>;
  /** Bytes that were promised to files that exist, and are not written yet. */
  unwritten(): Promise<number>;
}

/** Room for one object while it is written. */
export interface Claim {
  /** Accounts for bytes that are about to be written. @throws StorageError full */
  spend(bytes: number): Promise<void>;
  /** Gives back what was not spent. */
  release(): void;
}

/**
 * Room on a file system that uploads share with the database. Uploads end at the reserve, so that the database can
 * still write when they have taken all there is. Room is promised before it is written, so that an upload that was
 * begun is not starved by later ones. The reserve is missed by at most the writes under way, half a MiB each.
 */
export class DiskSpace {
  readonly #options: DiskSpaceOptions;
  readonly #turns = new Turns();
  /** Bytes that each claim still holds. */
  readonly #claims = new Map<Claim, number>();
  /** Bytes that may be written before the next look at the file system. */
  #budget = 0;
  #looking: Promise<number> | undefined;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
  }

  /** Free bytes, those of the reserve included. */
  async free(): Promise<number> {
    const { bavail, bsize } = await this.#options.statfs();
    return bavail * bsize;
  }

  /**
   * Promises room to a file and makes the file, before anybody else is promised any; from then on `unwritten` counts
   * what it lacks.
   * @throws StorageError full; what `make` throws
   */
  promise<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#require(bytes);
      return make();
    });
  }

  /**
   * Begins an object that is written at once. Its claim grows while it is spent, since its size is not certain.
   * @param size.expectedBytes announced by the sender; refused at once where so many do not fit
   * @throws StorageError full
   */
  async claim(size: { maxBytes: number; expectedBytes?: number }): Promise<Claim> {
    const likelyBytes = Math.min(size.maxBytes, size.expectedBytes ?? Number.POSITIVE_INFINITY);
    let claimed = 0;
    const held = () => this.#claims.get(claim) ?? 0;
    /** @param room that there has to be */
    const grow = (bytes: number, room: number) =>
      this.#inTurn(async () => {
        await this.#require(room);
        claimed += bytes;
        this.#claims.set(claim, held() + bytes);
      });
    const step = () => Math.max(0, Math.min(CLAIM_STEP_BYTES, likelyBytes - claimed));
    const claim: Claim = {
      spend: async (bytes) => {
        if (held() < bytes) {
          const more = Math.max(bytes, step());
          await grow(more, more);
        }
        this.#claims.set(claim, held() - bytes);
        await this.spend(bytes);
      },
      release: () => {
        this.#claims.delete(claim);
      },
    };
    await grow(step(), size.expectedBytes ?? step());
    return claim;
  }

  /** @throws StorageError full where uploads have taken all but the reserve */
  async check(): Promise<void> {
    if ((await this.#look()) <= 0) throw full();
  }

  /** Accounts for bytes of a promised file that are about to be written. @throws StorageError full */
  async spend(bytes: number): Promise<void> {
    while (this.#budget < bytes) if ((await this.#look()) < bytes) throw full();
    this.#budget -= bytes;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take("promise", work);
  }

  /** Looks at the file system, once for all who ask meanwhile. @returns the free bytes above the reserve */
  #look(): Promise<number> {
    this.#looking ??= (async () => {
      try {
        const available = (await this.free()) - this.#options.reserveBytes;
        this.#budget = Math.min(BUDGET_BYTES, available);
        return available;
      } finally {
        this.#looking = undefined;
      }
    })();
    return this.#looking;
  }

  async #require(bytes: number): Promise<void> {
    const [available, unwritten] = await Promise.all([this.#look(), this.#options.unwritten()]);
    const claimed = [...this.#claims.values()].reduce((sum, left) => sum + left, 0);
    if (available - unwritten - claimed < bytes) throw full();
  }
}

function full(): StorageError {
  return new StorageError("full", { cause: new Error("the disk is full up to its reserve") });
}
