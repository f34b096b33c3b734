import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './packages/server/src/platform/engines/postgres/*schema.ts',
  out: './packages/server/src/platform/engines/postgres/migrations',
})
