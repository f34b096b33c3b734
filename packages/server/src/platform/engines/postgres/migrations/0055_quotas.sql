ALTER TABLE "environments" ADD COLUMN "spike_protection" boolean DEFAULT true NOT NULL;
CREATE TABLE "quotas" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"key_id" uuid REFERENCES "sdk_keys"("id") ON DELETE cascade,
	"meter" text NOT NULL,
	"period" text NOT NULL,
	"most" bigint NOT NULL,
	"told_level" text NOT NULL,
	"told_period" date,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "quotas_meter" UNIQUE NULLS NOT DISTINCT("project_id","key_id","meter","period")
);
CREATE TABLE "usage_samplings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"environment_id" uuid REFERENCES "environments"("id") ON DELETE cascade,
	"key_id" uuid REFERENCES "sdk_keys"("id") ON DELETE cascade,
	"quota_id" uuid REFERENCES "quotas"("id") ON DELETE set null,
	"reason" text NOT NULL,
	"share" real NOT NULL,
	"pauses_recording" boolean NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"marked_at" timestamp (3) with time zone NOT NULL,
	"marked_events" bigint NOT NULL
);
CREATE INDEX "usage_samplings_project" ON "usage_samplings" ("project_id","began_at");
