import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";

/**
 * Why the browser returned no credential. `cancelled`: the user closed the dialog, or it timed out; `superseded`:
 * another ceremony replaced it; `otherAddress`: the console was opened at an address other than its public one, to
 * which passkeys are bound. All but the first two have a message in `passkeys.failures`.
 */
export type CeremonyFailure =
  | "cancelled"
  | "superseded"
  | "notPublicKey"
  | "otherAddress"
  | "registeredHere"
  | "noVerification"
  | "notCreated"
  | "notAuthenticated";

/** The result of a ceremony in the browser. */
export type CeremonyResult<T> = { ok: true; response: T } | { ok: false; failure: CeremonyFailure };

// Loaded on demand, because most visits to a page do not include a ceremony.
const loadLibrary = () => import("@simplewebauthn/browser");

function failureOf(error: unknown, fallback: CeremonyFailure): CeremonyFailure {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
      return "cancelled";
    case "AbortError":
      return "superseded";
    case "SecurityError":
      return "otherAddress";
    case "InvalidStateError":
      return "registeredHere";
    case "ConstraintError":
      return "noVerification";
    default:
      return fallback;
  }
}

/**
 * Whether passkeys of this relying party work on this page: its ID must be the page's host or a parent domain (WebAuthn
 * Level 3, 5.1.3). Browsers reject other IDs too, some only after a network request.
 */
function matchesRelyingParty(rpId: string | undefined): boolean {
  const { hostname } = window.location;
  return rpId === undefined || hostname === rpId || hostname.endsWith(`.${rpId}`);
}

const OTHER_ADDRESS = { ok: false, failure: "otherAddress" } as const;

async function outcome<T extends { type: string }>(
  ceremony: Promise<T>,
  fallback: CeremonyFailure,
): Promise<CeremonyResult<T>> {
  try {
    const response = await ceremony;
    return response.type === "public-key" ? { ok: true, response } : { ok: false, failure: "notPublicKey" };
  } catch (error) {
    return { ok: false, failure: failureOf(error, fallback) };
  }
}

/** Has the browser create a passkey. It asks where to store it, and for a fingerprint, face or PIN. */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<CeremonyResult<RegistrationResponseJSON>> {
  if (!matchesRelyingParty(options.rp.id)) return OTHER_ADDRESS;
  const { startRegistration } = await loadLibrary();
  return outcome(startRegistration({ optionsJSON: options }), "notCreated");
}

/** Has the browser ask for a passkey in its own dialog. */
export async function requestPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<CeremonyResult<AuthenticationResponseJSON>> {
  if (!matchesRelyingParty(options.rpId)) return OTHER_ADDRESS;
  const { startAuthentication } = await loadLibrary();
  return outcome(startAuthentication({ optionsJSON: options }), "notAuthenticated");
}

/** Whether the browser supports passkeys in the autofill of fields (WebAuthn's conditional mediation). */
export async function offersPasskeysInFields(): Promise<boolean> {
  if (document.querySelector("input[autocomplete$=webauthn]") === null) return false;
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}

/** A passkey ceremony that runs in the autofill of fields. */
interface PasskeyOffer {
  /** Resolves when the browser has started the ceremony. Another ceremony may replace it only after that. */
  started: Promise<unknown>;
  /** Resolves when a passkey is selected, which may never happen. */
  result: Promise<CeremonyResult<AuthenticationResponseJSON>>;
}

/** Has the browser offer passkeys in the fields whose `autocomplete` ends with `webauthn`, without a dialog. */
export async function offerPasskeys(options: PublicKeyCredentialRequestOptionsJSON): Promise<PasskeyOffer> {
  if (!matchesRelyingParty(options.rpId)) return { started: Promise.resolve(), result: Promise.resolve(OTHER_ADDRESS) };
  const { startAuthentication } = await loadLibrary();
  const ceremony = startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
  // The library asks the browser the same question first, so this answer arrives after the library's.
  return { started: offersPasskeysInFields(), result: outcome(ceremony, "notAuthenticated") };
}

/** Ends the current ceremony, if any. */
export async function endCeremony(): Promise<void> {
  const { WebAuthnAbortService } = await loadLibrary();
  WebAuthnAbortService.cancelCeremony();
}
