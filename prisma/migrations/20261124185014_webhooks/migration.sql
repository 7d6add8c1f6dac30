-- CreateEnum
CREATE TYPE "WebhookFormat" AS ENUM ('standard', 'slack', 'teams', 'discord', 'google-chat', 'mattermost');

-- CreateEnum
CREATE TYPE "DeliveryState" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "TokenExpiryNotice" (
    "tokenId" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TokenExpiryNotice_pkey" PRIMARY KEY ("tokenId","step")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "url" VARCHAR(2000) NOT NULL,
    "events" TEXT[],
    "allApps" BOOLEAN NOT NULL,
    "appIds" UUID[],
    "format" "WebhookFormat" NOT NULL,
    "locale" VARCHAR(5) NOT NULL,
    "status" "Status" NOT NULL DEFAULT 'active',
    "secret" BYTEA NOT NULL,
    "previousSecret" BYTEA,
    "previousSecretUntil" TIMESTAMPTZ(3),
    "failingSince" TIMESTAMPTZ(3),
    "disabledAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "webhookId" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "lane" UUID NOT NULL,
    "type" VARCHAR(100) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" JSONB NOT NULL,
    "state" "DeliveryState" NOT NULL DEFAULT 'pending',
    "test" BOOLEAN NOT NULL DEFAULT false,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "claimedUntil" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "deliveryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "status" INTEGER,
    "failure" VARCHAR(30),
    "answer" VARCHAR(2048),

    CONSTRAINT "WebhookAttempt_pkey" PRIMARY KEY ("deliveryId","number")
);

-- CreateIndex
CREATE INDEX "WebhookDelivery_state_webhookId_lane_position_idx" ON "WebhookDelivery"("state", "webhookId", "lane", "position");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_position_idx" ON "WebhookDelivery"("webhookId", "position" DESC);

-- AddForeignKey
ALTER TABLE "TokenExpiryNotice" ADD CONSTRAINT "TokenExpiryNotice_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookAttempt" ADD CONSTRAINT "WebhookAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "WebhookDelivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;
