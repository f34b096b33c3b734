// The client for servers. The rules of the environment are in memory and follow every change by themselves; flags are
// evaluated here, without a request. While the server is away, what was known last goes on being served.

import type { Flags, FlagsOptions } from './client.ts'
import { usualTiming } from './follow.ts'
import { startClient } from './start-client.ts'

export type * from './client.ts'

export function startFlags(options: FlagsOptions): Flags {
  return startClient(options, usualTiming)
}
