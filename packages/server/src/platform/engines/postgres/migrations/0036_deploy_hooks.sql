CREATE TABLE "deploy_hooks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" uuid NOT NULL UNIQUE REFERENCES "environments"("id") ON DELETE cascade,
	"secret" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_delivery_at" timestamp (3) with time zone,
	"last_result" text
);
