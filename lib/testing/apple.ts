import { createPublicKey } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { anAppleKey } from "./apple-key";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider";

/** The credentials that Apple issues to a team for Sign in with Apple. */
export interface AppleTeam {
  teamId: string;
  keyId: string;
  privateKey: string;
}

/**
 * Starts a fake Sign in with Apple. The client secret must be a JWT signed with the team's key (ES256), and the
 * authorization response is posted from its own site.
 */
export async function startApple(consoleUrl: () => string): Promise<{ provider: IdentityProvider; team: AppleTeam }> {
  const team: AppleTeam = { teamId: "TEAM123456", keyId: "KEY1234567", privateKey: anAppleKey() };
  const clientId = "com.example.sign-in";
  const publicKey = createPublicKey(team.privateKey);
  const provider = await startIdentityProvider({
    consoleUrl,
    as: "apple",
    clientId,
    async secretCheck(secret, issuer) {
      try {
        const { kid } = decodeProtectedHeader(secret);
        const { payload } = await jwtVerify(secret, publicKey, {
          algorithms: ["ES256"],
          issuer: team.teamId,
          subject: clientId,
          audience: issuer,
          requiredClaims: ["exp", "iat"],
        });
        const lifetime = (payload.exp as number) - (payload.iat as number);
        return kid === team.keyId && lifetime > 0 && lifetime <= 15_777_000;
      } catch {
        return false;
      }
    },
  });
  return { provider, team };
}
