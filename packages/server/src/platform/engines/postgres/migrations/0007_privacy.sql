CREATE TABLE "erased_ids" (
	"environment_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"blocked_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "erased_ids_pk" PRIMARY KEY("environment_id","hash")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" uuid NOT NULL,
	"subject" jsonb,
	"person" text NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"erased_at" timestamp (3) with time zone,
	"blocked_until" timestamp (3) with time zone NOT NULL,
	"next_sweep_at" timestamp (3) with time zone,
	"rows" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "environments" ADD COLUMN "scrub" jsonb DEFAULT '{"parameters":[],"attributes":[],"expressions":[]}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "erased_ids" ADD CONSTRAINT "erased_ids_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erasures_environment" ON "erasures" USING btree ("environment_id","id");--> statement-breakpoint
CREATE INDEX "erasures_next_sweep" ON "erasures" USING btree ("next_sweep_at");