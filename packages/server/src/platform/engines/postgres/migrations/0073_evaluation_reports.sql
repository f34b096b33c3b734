CREATE TABLE "evaluation_reports" (
	"environment_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "evaluation_reports_pk" PRIMARY KEY("environment_id","id")
);
--> statement-breakpoint
CREATE INDEX "evaluation_reports_received" ON "evaluation_reports" USING btree ("received_at");
