CREATE TABLE "playlists" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
CREATE UNIQUE INDEX "playlists_name" ON "playlists" ("environment_id","name");--> statement-breakpoint
CREATE TABLE "playlist_sessions" (
	"playlist_id" uuid NOT NULL REFERENCES "playlists"("id") ON DELETE cascade,
	"session_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL REFERENCES "environments"("id") ON DELETE cascade,
	"position" integer NOT NULL,
	"note" text NOT NULL,
	"added_by" text NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	PRIMARY KEY ("playlist_id","session_id")
);--> statement-breakpoint
CREATE INDEX "playlist_sessions_session" ON "playlist_sessions" ("environment_id","session_id");
