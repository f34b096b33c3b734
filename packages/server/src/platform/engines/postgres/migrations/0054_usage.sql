CREATE TABLE "usage_days" (
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"day" date NOT NULL,
	"environment_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"application" text NOT NULL,
	"kind" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "usage_days_pk" PRIMARY KEY("project_id","day","environment_id","key_id","application","kind")
);
CREATE INDEX "usage_days_day" ON "usage_days" ("day");
CREATE TABLE "usage_hours" (
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"hour" timestamp (3) with time zone NOT NULL,
	"events" bigint NOT NULL,
	CONSTRAINT "usage_hours_pk" PRIMARY KEY("environment_id","hour")
);
CREATE TABLE "usage_sessions" (
	"environment_id" uuid NOT NULL,
	"session" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_sessions_pk" PRIMARY KEY("environment_id","session")
);
CREATE INDEX "usage_sessions_age" ON "usage_sessions" ("at");
CREATE TABLE "disk_samples" (
	"day" date PRIMARY KEY NOT NULL,
	"telemetry_bytes" bigint,
	"postgres_bytes" bigint NOT NULL
);
