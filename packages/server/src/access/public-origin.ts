// Where people reach this installation: the setting, else the address that an owner entered at setup. A link that leaves
// the server never comes from a `Host` or forwarded header, which the client controls.

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
