// The way in by npm.

import { type Flags, type FlagsOptions, startFlags } from './flags.ts'

export function init(options: FlagsOptions): Flags {
  return startFlags(options)
}
