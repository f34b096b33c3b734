CREATE TABLE "intake_batches" (
	"environment_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"server_id" uuid NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "intake_batches_pk" PRIMARY KEY("environment_id","batch_id")
);
--> statement-breakpoint
CREATE INDEX "intake_batches_age" ON "intake_batches" USING btree ("received_at");