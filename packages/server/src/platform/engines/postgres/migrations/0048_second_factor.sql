ALTER TABLE "users" ADD COLUMN "second_factor" boolean DEFAULT false NOT NULL;
ALTER TABLE "users" ADD COLUMN "totp_secret" text;
ALTER TABLE "users" ADD COLUMN "totp_confirmed_at" timestamp (3) with time zone;
ALTER TABLE "users" ADD COLUMN "totp_last_step" bigint;
ALTER TABLE "installation" ADD COLUMN "second_factor" text DEFAULT 'optional' NOT NULL;
ALTER TABLE "login_sessions" ADD COLUMN "confirmed_at" timestamp (3) with time zone;
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" bytea NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" ("credential_id");
CREATE INDEX "passkeys_user" ON "passkeys" ("user_id");
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"hash" text NOT NULL,
	PRIMARY KEY ("user_id", "hash")
);
CREATE TABLE "challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid REFERENCES "users"("id") ON DELETE cascade,
	"purpose" text NOT NULL,
	"token_hash" text NOT NULL,
	"passkey_challenge" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
CREATE UNIQUE INDEX "challenges_token" ON "challenges" ("token_hash");
CREATE INDEX "challenges_user" ON "challenges" ("user_id");
CREATE INDEX "challenges_created" ON "challenges" ("created_at");
