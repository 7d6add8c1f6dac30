import type { SignInFailureReason } from "@/lib/kernel/sign-in-failures";

/** A sign-in that ends here; the cause is for the log alone. */
export class SignInFailure extends Error {
  constructor(
    readonly reason: SignInFailureReason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = "SignInFailure";
  }
}
