CREATE TABLE "rollout_templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE CASCADE,
	"key" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"stages" jsonb NOT NULL,
	"metrics" jsonb NOT NULL,
	"alpha" double precision NOT NULL,
	"time_box" bigint NOT NULL,
	"when_undecided" text NOT NULL,
	"fresh_draw" boolean NOT NULL,
	"version" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "rollout_templates_key" ON "rollout_templates" ("project_id", "key");
