import type { ServerResponse } from "node:http";
import { finished, type Readable } from "node:stream";
import { activity } from "@/lib/http/activity";
import { hasPieces, isCounted, nextChunk, oneOf, type Pieces } from "@/lib/http/chunks";
import { SendTurns } from "@/lib/http/send-turns";

let downloads = 0;
let acceptedBefore = 0;

/** Whether requests that are not downloads are under way, or connections were accepted since the last call. */
function hasOtherWork(): boolean {
  const { requests, acceptedConnections } = activity.get();
  const hasNew = acceptedConnections !== acceptedBefore;
  acceptedBefore = acceptedConnections;
  return hasNew || requests > downloads;
}

const turns = new SendTurns({ hasOtherWork });

/** Sends a source as a stream, at the pace of its client. */
async function sendChunks(source: Readable, response: ServerResponse): Promise<void> {
  const counted = isCounted(source) ? source : null;
  for (let chunk = await nextChunk(source); chunk !== null; chunk = await nextChunk(source)) {
    const { length } = chunk;
    const sent = counted ? (error?: Error | null) => error || counted.bytesSent(length) : undefined;
    if (response.write(chunk, sent)) continue;
    await oneOf(response, ["drain", "close"]);
    if (response.destroyed) return;
  }
  response.end();
}

/**
 * Sends a source piece by piece. The next piece is taken when the system has taken the one before, so that a slow client
 * holds one piece, and all downloads take turns with everything else that the process does.
 */
async function sendPieces(source: Pieces, response: ServerResponse): Promise<void> {
  const counted = isCounted(source) ? source : null;
  let goOn = () => {};
  const leave = () => goOn();
  response.once("close", leave);
  while (!response.destroyed) {
    const piece = await source.nextPiece();
    if (piece === null) {
      response.off("close", leave);
      response.end();
      return;
    }
    try {
      await turns.take(piece.bytes.length);
      if (response.destroyed) return;
      await new Promise<void>((resolve) => {
        goOn = resolve;
        response.write(piece.bytes, (error) => {
          if (!error) counted?.bytesSent(piece.bytes.length);
          resolve();
        });
      });
    } finally {
      piece.release();
    }
  }
}

/**
 * Sends a body to its client, as fast as the client takes it, and ends the response
 * (docs/decisions/012-downloads-past-the-web-stream.md).
 *
 * If the client disconnects, the source is destroyed and what it holds open is closed. If the source fails, the connection
 * is closed, so that the client does not take the part for the whole.
 * @throws the error that the source failed with
 */
export async function sendStream(source: Readable, response: ServerResponse): Promise<void> {
  if (hasPieces(source)) downloads += 1;
  const leave = () => void source.destroy();
  // Listens for errors too, which would otherwise end the process.
  finished(source, () => response.off("close", leave));
  if (response.destroyed) leave();
  else response.once("close", leave);
  try {
    if (hasPieces(source)) await sendPieces(source, response);
    else await sendChunks(source, response);
  } catch (error) {
    const isClientGone = response.destroyed;
    response.destroy();
    if (!isClientGone) throw error;
  } finally {
    if (hasPieces(source)) {
      downloads -= 1;
      source.destroy();
    }
  }
}
