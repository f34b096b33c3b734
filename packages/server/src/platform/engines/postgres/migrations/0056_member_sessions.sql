ALTER TABLE "installation" ADD COLUMN "session_idle_ms" bigint DEFAULT 1209600000 NOT NULL;
ALTER TABLE "installation" ADD COLUMN "session_maximum_ms" bigint DEFAULT 7776000000 NOT NULL;
ALTER TABLE "login_sessions" ADD COLUMN "address" text DEFAULT '' NOT NULL;
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL REFERENCES "users"("id") ON DELETE cascade,
	"device" text NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"mail_due" boolean NOT NULL,
	CONSTRAINT "known_devices_pk" PRIMARY KEY("user_id","device")
);
CREATE INDEX "known_devices_due" ON "known_devices" ("first_at") WHERE "mail_due";
