CREATE TABLE "saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL REFERENCES "projects"("id") ON DELETE cascade,
	"screen" text NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"shared" boolean NOT NULL,
	"owner_id" uuid REFERENCES "users"("id") ON DELETE set null,
	"owner_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE INDEX "saved_views_project" ON "saved_views" ("project_id","owner_id");--> statement-breakpoint
CREATE TABLE "saved_view_marks" (
	"view_id" uuid NOT NULL REFERENCES "saved_views"("id") ON DELETE cascade,
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"is_default" boolean NOT NULL,
	"is_pinned" boolean NOT NULL,
	PRIMARY KEY ("view_id","user_id")
);
