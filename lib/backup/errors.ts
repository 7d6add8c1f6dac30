/** Why a backup is not made, not accepted or not restored. The message is for the administrator. */
type BackupProblem =
  /** It is cut short, changed or incomplete. */
  | "damaged"
  /** No given identity decrypts it. */
  | "wrong_key"
  /** It belongs to another deployment. */
  | "foreign"
  /** A value is sealed with a master key that this process does not have. */
  | "master_key"
  /** A newer version of Slipway made it. */
  | "newer"
  /** The deployment to restore into has data. */
  | "not_empty"
  /** Another backup or the console is running. */
  | "busy"
  /** The connection that holds the lock of the backup was lost. */
  | "interrupted"
  /** There is no such backup. */
  | "missing";

export class BackupError extends Error {
  override name = "BackupError";

  constructor(
    readonly problem: BackupProblem,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
