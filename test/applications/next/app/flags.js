// Flags on the server: one client for the process.

import { startFlags } from '@telltale/node'

export async function serverFlags() {
  globalThis.telltaleFlags ??= startFlags({
    url: process.env.TELLTALE_URL ?? '',
    key: process.env.TELLTALE_KEY ?? '',
  })
  await globalThis.telltaleFlags.whenReady()
  return globalThis.telltaleFlags
}
