CREATE TABLE "canary_draws" (
	"environment_id" uuid NOT NULL,
	"draw" integer NOT NULL,
	"series" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"judged" jsonb NOT NULL,
	"seen" jsonb,
	"alarms" jsonb NOT NULL,
	"split_wrong" text,
	"next_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone,
	CONSTRAINT "canary_draws_pk" PRIMARY KEY("environment_id","draw")
);
--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "canary_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "canary_draw" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "canary_draws" ADD CONSTRAINT "canary_draws_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "canary_draws_due" ON "canary_draws" USING btree ("next_at");