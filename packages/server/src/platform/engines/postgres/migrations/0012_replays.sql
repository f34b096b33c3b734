CREATE TABLE "kept_replays" (
	"environment_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"kept_at" timestamp (3) with time zone NOT NULL,
	"kept_by" text NOT NULL,
	CONSTRAINT "kept_replays_environment_id_session_id_pk" PRIMARY KEY("environment_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "replay_notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"text" text NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "kept_replays" ADD CONSTRAINT "kept_replays_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replay_notes" ADD CONSTRAINT "replay_notes_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replay_notes_session" ON "replay_notes" USING btree ("environment_id","session_id");