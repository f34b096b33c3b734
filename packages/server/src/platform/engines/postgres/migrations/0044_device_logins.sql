CREATE TABLE "device_logins" (
	"id" uuid PRIMARY KEY NOT NULL,
	"device_hash" text NOT NULL,
	"user_code" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"user_id" uuid REFERENCES "users"("id") ON DELETE cascade,
	"project" text,
	"role" text,
	"token_expires_at" timestamp (3) with time zone
);
CREATE UNIQUE INDEX "device_logins_device" ON "device_logins" ("device_hash");
CREATE UNIQUE INDEX "device_logins_code" ON "device_logins" ("user_code");
