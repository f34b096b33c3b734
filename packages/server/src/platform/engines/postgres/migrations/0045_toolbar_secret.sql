ALTER TABLE "environments" ADD COLUMN "toolbar_secret" text DEFAULT gen_random_uuid()::text || gen_random_uuid()::text NOT NULL;
