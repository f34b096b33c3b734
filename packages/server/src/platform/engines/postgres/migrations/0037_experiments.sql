CREATE TABLE "experiments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"flag_id" uuid NOT NULL REFERENCES "flags"("id") ON DELETE cascade,
	"name" text NOT NULL,
	"hypothesis" text NOT NULL,
	"place" text NOT NULL,
	"control" text NOT NULL,
	"goals" jsonb NOT NULL,
	"days" integer,
	"state" text NOT NULL,
	"judged" jsonb,
	"by" text,
	"split" text,
	"first_epoch" integer,
	"last_epoch" integer,
	"decision" jsonb,
	"results" jsonb,
	"created_by" text NOT NULL,
	"started_by" text,
	"ended_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE UNIQUE INDEX "experiments_name" ON "experiments" ("project_id","name");--> statement-breakpoint
CREATE INDEX "experiments_flag" ON "experiments" ("flag_id","environment_id");
