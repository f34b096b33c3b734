// Where people reach this installation: the setting, else the address that an owner entered at setup. A link that leaves
// the server never comes from a `Host` or forwarded header, which whoever sends a request chooses.

import type { Services } from '../platform/services.ts'
import { findInstallation } from './queries.ts'

export async function publicOrigin({
  config,
  db,
}: Pick<Services, 'config' | 'db'>): Promise<string | undefined> {
  return config.publicUrl?.origin ?? (await findInstallation(db))?.publicUrl ?? undefined
}
