// The public address of this installation: the setting, or the address that an owner entered at setup. Links
// never use a `Host` or forwarded header, because the client controls these.

import { eq } from 'drizzle-orm'
import { installation } from '../platform/engines/postgres/schema.ts'
import type { Services } from '../platform/services.ts'

export async function publicOrigin({
  config,
  db,
}: Pick<Services, 'config' | 'db'>): Promise<string | undefined> {
  if (config.publicUrl !== undefined) return config.publicUrl.origin
  const [row] = await db
    .select({ publicUrl: installation.publicUrl })
    .from(installation)
    .where(eq(installation.id, 1))
  return row?.publicUrl ?? undefined
}
