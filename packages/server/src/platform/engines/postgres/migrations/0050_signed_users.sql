ALTER TABLE "environments" ADD COLUMN "signed_users" text DEFAULT 'off' NOT NULL;
CREATE TABLE "signing_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"secret" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
CREATE INDEX "signing_secrets_environment" ON "signing_secrets" ("environment_id","id");
CREATE TABLE "signed_user_counts" (
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"day" date NOT NULL,
	"source" text NOT NULL,
	"signed" bigint NOT NULL,
	"unsigned" bigint NOT NULL,
	"invalid" bigint NOT NULL,
	"expired" bigint NOT NULL,
	"refusable_at" timestamp (3) with time zone,
	"refusable_verdict" text,
	CONSTRAINT "signed_user_counts_pk" PRIMARY KEY("environment_id","day","source")
);
