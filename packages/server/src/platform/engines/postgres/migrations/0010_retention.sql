CREATE TABLE "deleted_environments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"deleted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_nights" (
	"night" date PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"reason" text,
	"lease" uuid NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retention_removals" (
	"night" date NOT NULL,
	"environment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reason" text NOT NULL,
	"rows" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "retention_removals_pk" PRIMARY KEY("night","environment_id","kind","reason")
);
--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "rewritten_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "erasures" ADD COLUMN "off_disk_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "telemetry_budget_bytes" bigint;--> statement-breakpoint
ALTER TABLE "retention_removals" ADD CONSTRAINT "retention_removals_night_retention_nights_night_fk" FOREIGN KEY ("night") REFERENCES "public"."retention_nights"("night") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "retention_removals_environment" ON "retention_removals" USING btree ("environment_id","night");