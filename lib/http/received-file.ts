import { z } from "zod";

/**
 * A file of a multipart request, already in the store; its row is `pending` until a command claims it. It is a class so
 * that nothing in a JSON body can pass for one.
 */
export class ReceivedFile {
  readonly fileId: string;
  readonly storageKey: string;
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;

  constructor(file: Readonly<ReceivedFile>) {
    this.fileId = file.fileId;
    this.storageKey = file.storageKey;
    this.name = file.name;
    this.contentType = file.contentType;
    this.size = file.size;
    this.sha256 = file.sha256;
  }
}

/** What an operation's input holds under the name of its file field. */
export const receivedFileSchema = z.instanceof(ReceivedFile);
