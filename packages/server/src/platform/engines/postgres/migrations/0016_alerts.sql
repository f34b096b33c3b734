CREATE TABLE "alert_incidents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"alert_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"ending" text,
	"value" double precision,
	"change" double precision,
	"worst" double precision,
	"summary" text NOT NULL,
	"path" text,
	"is_muted" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"environment_id" uuid NOT NULL,
	"name" text NOT NULL,
	"rule" jsonb NOT NULL,
	"events" text[] NOT NULL,
	"channels" uuid[] NOT NULL,
	"standing" jsonb,
	"state" text NOT NULL,
	"seen" jsonb,
	"next_at" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone,
	"muted_until" timestamp (3) with time zone,
	"created_by_name" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"url" text,
	"addresses" text[] NOT NULL,
	"secret" text,
	"events" text[] NOT NULL,
	"environments" text[] NOT NULL,
	"enabled" boolean NOT NULL,
	"disabled_as_failing" boolean DEFAULT false NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"last_delivered_at" timestamp (3) with time zone,
	"last_failure" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"channel_id" uuid NOT NULL,
	"notice_id" uuid NOT NULL,
	"event" text NOT NULL,
	"notice" jsonb NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"duration" integer NOT NULL,
	"status" integer,
	"failure" text,
	"answer" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_incidents" ADD CONSTRAINT "alert_incidents_alert_id_alert_rules_id_fk" FOREIGN KEY ("alert_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_environment_id_environments_id_fk" FOREIGN KEY ("environment_id") REFERENCES "public"."environments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_incidents_alert" ON "alert_incidents" USING btree ("alert_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_incidents_open" ON "alert_incidents" USING btree ("alert_id") WHERE "alert_incidents"."ended_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_rules_name" ON "alert_rules" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "alert_rules_due" ON "alert_rules" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "channels_name" ON "channels" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "deliveries_channel" ON "deliveries" USING btree ("channel_id","id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("next_at") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("channel_id") WHERE "deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "deliveries_age" ON "deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "delivery_attempts_delivery" ON "delivery_attempts" USING btree ("delivery_id","id");