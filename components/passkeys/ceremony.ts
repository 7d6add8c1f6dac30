import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";

/**
 * Why a browser gave no credential. `cancelled`: the person closed its dialog, or nobody answered it in time;
 * `superseded`: another ceremony took its place; `otherAddress`: the console was opened under another address than its
 * public one, to which passkeys belong. All but the first two are told in `passkeys.failures`.
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

/** How a ceremony in the browser ended. */
export type CeremonyResult<T> = { ok: true; response: T } | { ok: false; failure: CeremonyFailure };

// Most visits to a page never come to a ceremony, and the library is not needed before.
const library = () => import("@simplewebauthn/browser");

function failureOf(error: unknown, otherwise: CeremonyFailure): CeremonyFailure {
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
      return otherwise;
  }
}

/**
 * Whether passkeys of this relying party work on this page: its ID is the page's host or a domain above it (WebAuthn
 * Level 3, 5.1.3). Browsers refuse the others too, some only after they asked the network about them.
 */
function isAtHome(rpId: string | undefined): boolean {
  const { hostname } = window.location;
  return rpId === undefined || hostname === rpId || hostname.endsWith(`.${rpId}`);
}

const ELSEWHERE = { ok: false, failure: "otherAddress" } as const;

async function outcome<T extends { type: string }>(
  ceremony: Promise<T>,
  otherwise: CeremonyFailure,
): Promise<CeremonyResult<T>> {
  try {
    const response = await ceremony;
    return response.type === "public-key" ? { ok: true, response } : { ok: false, failure: "notPublicKey" };
  } catch (error) {
    return { ok: false, failure: failureOf(error, otherwise) };
  }
}

/** Has the browser make a passkey: it asks where to keep it, and for finger, face or PIN. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<CeremonyResult<RegistrationResponseJSON>> {
  if (!isAtHome(options.rp.id)) return ELSEWHERE;
  const { startRegistration } = await library();
  return outcome(startRegistration({ optionsJSON: options }), "notCreated");
}

/** Has the browser ask for a passkey, in its own dialog. */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<CeremonyResult<AuthenticationResponseJSON>> {
  if (!isAtHome(options.rpId)) return ELSEWHERE;
  const { startAuthentication } = await library();
  return outcome(startAuthentication({ optionsJSON: options }), "notAuthenticated");
}

/** Whether the browser offers passkeys among what it fills the page's fields in with (WebAuthn's conditional mediation). */
export async function offersPasskeysInFields(): Promise<boolean> {
  if (document.querySelector("input[autocomplete$=webauthn]") === null) return false;
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}

/** A passkey on offer in the fields of the page. */
export interface PasskeyOffer {
  /** Ends when the browser has been asked; another ceremony may then take its place, and not before. */
  begun: Promise<unknown>;
  /** Ends when a passkey was picked, which may be never. */
  result: Promise<CeremonyResult<AuthenticationResponseJSON>>;
}

/** Has the browser offer passkeys in the fields whose `autocomplete` ends with `webauthn`; it shows no dialog. */
export async function offerPasskeys(options: PublicKeyCredentialRequestOptionsJSON): Promise<PasskeyOffer> {
  if (!isAtHome(options.rpId)) return { begun: Promise.resolve(), result: Promise.resolve(ELSEWHERE) };
  const { startAuthentication } = await library();
  const ceremony = startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
  // The library asks the browser the same question first; this one is answered after it.
  return { begun: offersPasskeysInFields(), result: outcome(ceremony, "notAuthenticated") };
}

/** Ends the ceremony that is under way, if there is one. */
export async function endCeremony(): Promise<void> {
  const { WebAuthnAbortService } = await library();
  WebAuthnAbortService.cancelCeremony();
}
