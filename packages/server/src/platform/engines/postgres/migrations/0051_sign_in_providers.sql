CREATE TABLE "sign_in_providers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"button_text" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"client_auth" text NOT NULL,
	"secret" text NOT NULL,
	"key_id" text,
	"scopes" text[] NOT NULL,
	"domains" text[] NOT NULL,
	"accepts_unverified" boolean NOT NULL,
	"groups_claim" text,
	"grants" jsonb NOT NULL,
	"reauthenticates" boolean NOT NULL,
	"enabled" boolean NOT NULL,
	"tested_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"managed" boolean DEFAULT false NOT NULL
);
CREATE UNIQUE INDEX "sign_in_providers_key" ON "sign_in_providers" ("key");
CREATE TABLE "provider_accounts" (
	"provider_id" uuid NOT NULL REFERENCES "sign_in_providers"("id") ON DELETE cascade,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provider_accounts_pk" PRIMARY KEY ("provider_id", "subject")
);
CREATE UNIQUE INDEX "provider_accounts_user" ON "provider_accounts" ("user_id", "provider_id");
CREATE TABLE "sign_in_flows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider_id" uuid NOT NULL REFERENCES "sign_in_providers"("id") ON DELETE cascade,
	"purpose" text NOT NULL,
	"state_hash" text NOT NULL,
	"browser_hash" text NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"return_to" text,
	"session_id" uuid REFERENCES "login_sessions"("id") ON DELETE cascade,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
CREATE UNIQUE INDEX "sign_in_flows_state" ON "sign_in_flows" ("state_hash");
CREATE INDEX "sign_in_flows_created" ON "sign_in_flows" ("created_at");
CREATE TABLE "provider_sessions" (
	"session_id" uuid PRIMARY KEY NOT NULL REFERENCES "login_sessions"("id") ON DELETE cascade,
	"provider_id" uuid NOT NULL REFERENCES "sign_in_providers"("id") ON DELETE cascade,
	"subject" text NOT NULL,
	"provider_session" text,
	"id_token" text NOT NULL,
	"refresh_token" text,
	"refresh_at" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL
);
CREATE INDEX "provider_sessions_subject" ON "provider_sessions" ("provider_id", "subject");
CREATE INDEX "provider_sessions_due" ON "provider_sessions" ("refresh_at");
CREATE TABLE "used_logout_tokens" (
	"provider_id" uuid NOT NULL REFERENCES "sign_in_providers"("id") ON DELETE cascade,
	"token_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "used_logout_tokens_pk" PRIMARY KEY ("provider_id", "token_id")
);
ALTER TABLE "users" ADD COLUMN "role_from" uuid REFERENCES "sign_in_providers"("id") ON DELETE set null;
ALTER TABLE "memberships" ADD COLUMN "role_from" uuid REFERENCES "sign_in_providers"("id") ON DELETE set null;
ALTER TABLE "installation" ADD COLUMN "single_sign_on_only" boolean DEFAULT false NOT NULL;
ALTER TABLE "installation" ADD COLUMN "break_glass_owner" uuid REFERENCES "users"("id") ON DELETE set null;
