CREATE TABLE "scim_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
CREATE UNIQUE INDEX "scim_tokens_hash" ON "scim_tokens" ("hash");
CREATE TABLE "scim_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_id" uuid NOT NULL REFERENCES "scim_tokens"("id") ON DELETE cascade,
	"at" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"resource" text NOT NULL,
	"status" integer NOT NULL,
	"detail" text
);
CREATE INDEX "scim_requests_token" ON "scim_requests" ("token_id","id");
CREATE TABLE "scim_users" (
	"user_id" uuid PRIMARY KEY NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"user_name" text NOT NULL,
	"external_id" text,
	"display_name" text,
	"formatted" text,
	"given_name" text,
	"family_name" text
);
CREATE UNIQUE INDEX "scim_users_user_name" ON "scim_users" (lower("user_name"));
CREATE INDEX "scim_users_external_id" ON "scim_users" ("external_id");
ALTER TABLE "teams" ADD COLUMN "scim" boolean DEFAULT false NOT NULL;
ALTER TABLE "teams" ADD COLUMN "external_id" text;
ALTER TABLE "installation" ADD COLUMN "single_sign_on_managed" boolean DEFAULT false NOT NULL;
