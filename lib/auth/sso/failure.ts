import type { SignInFailureReason } from "@/lib/kernel/sign-in-failures";

/** A failed sign-in. Its cause is only logged. */
export class SignInFailure extends Error {
  constructor(
    readonly reason: SignInFailureReason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = "SignInFailure";
  }
}
