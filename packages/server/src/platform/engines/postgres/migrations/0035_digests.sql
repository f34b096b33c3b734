CREATE TABLE "digests" (
	"project_id" uuid PRIMARY KEY NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"enabled" boolean NOT NULL,
	"environment_id" uuid REFERENCES "environments"("id") ON DELETE set null,
	"weekday" integer NOT NULL,
	"hour" integer NOT NULL,
	"channels" uuid[] NOT NULL,
	"next_at" timestamp (3) with time zone,
	"last_sent_at" timestamp (3) with time zone,
	"version" integer NOT NULL
);--> statement-breakpoint
CREATE INDEX "digests_due" ON "digests" ("next_at");
