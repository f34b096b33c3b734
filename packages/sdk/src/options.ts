// The options and results of the API. Separate from the entry point, so that the types import nothing that is not
// published.

import type { Flags, FlagsOptions } from './flags.ts'
import type { Monitoring, MonitoringOptions } from './monitoring.ts'

export interface TelltaleOptions extends FlagsOptions, MonitoringOptions {}

/** `setContext` sets the user: its targeting key identifies the user of all later events. */
export interface Telltale extends Flags, Monitoring {
  /** Loads and opens the toolbar, which shows flags, events and masking, and forces values in this tab. */
  openToolbar(): void
}
