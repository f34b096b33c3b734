// The server-side client. Keeps the environment's rules in memory, follows every change automatically and evaluates
// flags locally, without a request. While the server is unavailable, the last known rules are served.

import type { Flags, FlagsOptions } from './client.ts'
import { usualTiming } from './follow.ts'
import { startClient } from './start-client.ts'

export type * from './client.ts'

export function startFlags(options: FlagsOptions): Flags {
  return startClient(options, usualTiming)
}
