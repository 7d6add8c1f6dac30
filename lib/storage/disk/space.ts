import { doneWithin } from "@/lib/kernel/timeout";
import { StorageError } from "../driver";
import { Turns } from "../turns";

const MIB = 1024 * 1024;
/** Bytes that all writers together may write before the free space is read again. */
const BUDGET_BYTES = 8 * MIB;
/**
 * The claim of an object of unknown size begins with the minimum, and doubles as bytes arrive, up to the maximum step.
 */
const MIN_CLAIM_STEP_BYTES = MIB;
const MAX_CLAIM_STEP_BYTES = 16 * MIB;
/** Objects that can never be larger, in bytes, such as images, do not wait for room that uploads have reserved. */
const MAX_SMALL_FILE_BYTES = 4 * MIB;
/** The share of the reserve that small files may use. */
const SMALL_FILE_SHARE = 1 / 8;
/** The share of the room left by all others that the uploads of one owner can reserve. */
const OWNER_SHARE = 1 / 2;
/** How long others wait until an object that was refused more room has released its own. */
const RELEASE_TIMEOUT_MS = 1_000;

/** What statfs(2) says of a file system. */
export interface FileSystemStats {
  /** Blocks that an ordinary user may still take. */
  bavail: number;
  /** Bytes of a block. */
  bsize: number;
}

/** Room that an upload in parts has reserved and not yet written. */
export interface Reservation {
  /** Null if it is not known; then nothing is shared. */
  owner: string | null;
  bytes: number;
  /** What the upload needs beyond that. */
  unreservedBytes: number;
}

/** An upload in parts, as one of its parts begins. */
export interface UploadRoom {
  owner: string | null;
  /** What of its unwritten bytes is reserved; 0 where the reservation has lapsed. */
  reservedBytes: number;
  unwrittenBytes: number;
  /** Whether its reservation has lapsed because nothing was written for 15 minutes. */
  hasLapsed: boolean;
}

interface DiskSpaceOptions {
  /** Bytes that uploads leave free for other data on the file system. */
  reserveBytes: number;
  statfs(): Promise<FileSystemStats>;
  /** The reservations of the uploads in parts that have not lapsed. */
  reservations(): Promise<Reservation[]>;
}

/** Room for one object while it is written. */
interface Claim {
  /** Accounts for bytes that are about to be written. @throws StorageError full */
  spend(bytes: number): Promise<void>;
  /** Gives back what was not spent. Call it after the bytes of a failed object are removed. */
  release(): void;
}

/**
 * Room on a file system that uploads share with the database. Uploads leave a reserve, so that the database can still
 * write when they have taken the rest. Room is reserved before it is written, so that later uploads cannot take the
 * room of one that has begun. Writes in progress, half a MiB each, may exceed the reserve.
 *
 * Announcing a size costs the sender nothing. Therefore, the uploads of one owner reserve at most half of the room that
 * all others leave, a reservation lapses when nothing arrives, and small files do not wait for reserved room.
 */
export class DiskSpace {
  readonly #options: DiskSpaceOptions;
  readonly #turns = new Turns();
  /** Bytes that each claim still holds. */
  readonly #claims = new Map<Claim, number>();
  /** Bytes that may be written before the free space is read again. */
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
   * Reserves room for an upload in parts, which has to fit as a whole.
   * @param make makes the upload with the bytes that are reserved for it, before room is given to anyone else; from then
   *   on, `reservations` includes it
   * @throws StorageError full; what `make` throws
   */
  reserve<T>(
    { owner, bytes }: Pick<Reservation, "owner" | "bytes">,
    make: (reservedBytes: number) => Promise<T>,
  ): Promise<T> {
    return this.#inTurn(async () => {
      const { free, share, unreservedBytes } = await this.#roomFor(owner);
      // The uploads of one owner have to fit together, so that none of them begins without a chance to finish.
      if (free - unreservedBytes < bytes) throw full();
      return make(Math.min(bytes, share));
    });
  }

  /**
   * Begins a part of an upload. Bytes that are not reserved need room beside all reservations. A reservation that has
   * lapsed is made again.
   * @param upload.renew keeps the new reservation of the upload
   * @throws StorageError full
   */
  async claimPart(
    bytes: number,
    upload: { room(): Promise<UploadRoom>; renew(reservedBytes: number): Promise<void> },
  ): Promise<Claim> {
    const claim: Claim = {
      spend: async (spent) => {
        this.#claims.set(claim, Math.max(0, (this.#claims.get(claim) ?? 0) - spent));
        await this.spend(spent);
      },
      release: () => {
        this.#claims.delete(claim);
      },
    };
    await this.#inTurn(async () => {
      await this.check();
      const room = await upload.room();
      if (!room.hasLapsed && room.reservedBytes >= room.unwrittenBytes) return;
      const { free, share } = await this.#roomFor(room.owner);
      const newBytes = Math.min(bytes, room.unwrittenBytes);
      const reservedBytes = room.hasLapsed ? Math.min(room.unwrittenBytes, share) : room.reservedBytes;
      // The reservation is for the last bytes of the upload, so that an upload fails at its beginning if there is too
      // little room.
      const unreservedBytes = Math.min(newBytes, room.unwrittenBytes - reservedBytes);
      if (free < (room.hasLapsed ? newBytes : unreservedBytes)) throw full();
      if (room.hasLapsed) await upload.renew(reservedBytes);
      this.#claims.set(claim, unreservedBytes);
    });
    return claim;
  }

  /**
   * Begins an object that is written at once. Its claim grows while it is spent, since its size is not certain.
   * @param size.expectedBytes announced by the sender; refused at once if they do not fit
   * @throws StorageError full
   */
  async claim(size: { maxBytes: number; expectedBytes?: number }): Promise<Claim> {
    if (size.maxBytes <= MAX_SMALL_FILE_BYTES) return this.#claimSmall();
    const likelyBytes = Math.min(size.maxBytes, size.expectedBytes ?? Number.POSITIVE_INFINITY);
    let claimed = 0;
    const held = () => this.#claims.get(claim) ?? 0;
    const add = (bytes: number) => {
      claimed += bytes;
      this.#claims.set(claim, held() + bytes);
    };
    const step = () => {
      const doubled = Math.min(MAX_CLAIM_STEP_BYTES, Math.max(MIN_CLAIM_STEP_BYTES, claimed));
      return Math.max(0, Math.min(doubled, likelyBytes - claimed));
    };
    const released = Promise.withResolvers<void>();
    /**
     * Claims more room. If there is none, others wait up to `RELEASE_TIMEOUT_MS` until this object has released its
     * room before they are refused.
     */
    const grow = (bytes: number) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      void this.#inTurn(async () => {
        try {
          await this.#require(bytes);
          add(bytes);
          resolve();
        } catch (error) {
          reject(error);
          await doneWithin(released.promise, RELEASE_TIMEOUT_MS);
        }
      });
      return promise;
    };
    const claim: Claim = {
      spend: async (bytes) => {
        if (held() < bytes) await grow(Math.max(bytes, step()));
        this.#claims.set(claim, held() - bytes);
        await this.spend(bytes);
      },
      release: () => {
        this.#claims.delete(claim);
        released.resolve();
      },
    };
    await this.#inTurn(async () => {
      await this.#require(size.expectedBytes ?? step());
      add(step());
    });
    return claim;
  }

  /** @throws StorageError full if uploads have taken all but the reserve */
  async check(): Promise<void> {
    if ((await this.#look()) <= 0) throw full();
  }

  /** Accounts for bytes of a promised file that are about to be written. @throws StorageError full */
  async spend(bytes: number): Promise<void> {
    while (this.#budget < bytes) if ((await this.#look()) < bytes) throw full();
    this.#budget -= bytes;
  }

  /** Begins an object of at most `MAX_SMALL_FILE_BYTES`, which may use a part of the reserve. */
  async #claimSmall(): Promise<Claim> {
    const margin = this.#options.reserveBytes * SMALL_FILE_SHARE;
    const requireMargin = async (bytes: number) => {
      if ((await this.#look()) + margin <= bytes) throw full();
    };
    await requireMargin(0);
    return { spend: requireMargin, release: () => {} };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take("room", work);
  }

  /** Reads the free space, once for all concurrent callers. @returns the free bytes above the reserve */
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
    const { free } = await this.#roomFor(null);
    if (free < bytes) throw full();
  }

  /**
   * @returns `free`, the bytes that are neither reserved nor claimed; `share`, those that this owner can still reserve; and
   *   `unreservedBytes`, those that the owner's uploads need and have not reserved
   */
  async #roomFor(owner: string | null): Promise<{ free: number; share: number; unreservedBytes: number }> {
    const [available, reservations] = await Promise.all([this.#look(), this.#options.reservations()]);
    const free = available - sum(this.#claims.values()) - sum(reservations.map(({ bytes }) => bytes));
    if (owner === null) return { free, share: Math.max(0, free), unreservedBytes: 0 };
    const own = reservations.filter((one) => one.owner === owner);
    const reserved = sum(own.map(({ bytes }) => bytes));
    return {
      free,
      share: Math.max(0, Math.floor((free + reserved) * OWNER_SHARE) - reserved),
      unreservedBytes: sum(own.map((one) => one.unreservedBytes)),
    };
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}

function full(): StorageError {
  return new StorageError("full", { cause: new Error("the disk is full up to its reserve") });
}
