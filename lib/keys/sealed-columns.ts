/** A column whose values are sealed (lib/kernel/crypto/sealed.ts). */
export interface SealedColumn {
  table: string;
  /** The primary key, whose value is the `id` of the sealed place. */
  id: string;
  /** The type of the primary key in PostgreSQL. */
  idType: string;
  column: string;
}

/** Every sealed column of the database. The rotation of master keys, its verification and the start cover these. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "TwoFactor", id: "userId", idType: "uuid", column: "secret" },
  { table: "AuthProvider", id: "provider", idType: '"Provider"', column: "secret" },
  { table: "ServerKey", id: "kid", idType: "text", column: "privateJwk" },
  { table: "SecureVariable", id: "id", idType: "uuid", column: "value" },
  { table: "SecureCertificate", id: "id", idType: "uuid", column: "value" },
  { table: "SecureCertificate", id: "id", idType: "uuid", column: "password" },
  { table: "ConfigurationSecret", id: "id", idType: "uuid", column: "value" },
  { table: "ConfigurationSecret", id: "id", idType: "uuid", column: "password" },
  { table: "ShareLink", id: "id", idType: "uuid", column: "code" },
  { table: "Tester", id: "id", idType: "uuid", column: "secret" },
  { table: "PushSubscription", id: "id", idType: "uuid", column: "secret" },
  { table: "Webhook", id: "id", idType: "uuid", column: "secret" },
  { table: "Webhook", id: "id", idType: "uuid", column: "previousSecret" },
  { table: "Device", id: "id", idType: "uuid", column: "udid" },
  { table: "AppSigningKey", id: "appId", idType: "uuid", column: "keystore" },
  { table: "AppSigningKey", id: "appId", idType: "uuid", column: "password" },
  { table: "EnvironmentSigningKey", id: "environmentId", idType: "uuid", column: "keyPassword" },
];
