ALTER TABLE "environments" ADD COLUMN "recording_orders" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
CREATE TABLE "recording_plans" (
	"environment_id" uuid PRIMARY KEY NOT NULL,
	"plan" jsonb,
	"peak" jsonb,
	"next_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "recording_plans" ADD CONSTRAINT "recording_plans_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;
