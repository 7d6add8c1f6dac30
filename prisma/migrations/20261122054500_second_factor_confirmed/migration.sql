-- When a session last proved its second factor by a code of the app or a passkey; a recovery code does not count.
ALTER TABLE "Session" ADD COLUMN "secondFactorConfirmedAt" TIMESTAMPTZ(3);
