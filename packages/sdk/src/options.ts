// What an application gives and gets. Apart from what starts it, so that its types lead to nothing that is not shipped.

import type { Flags, FlagsOptions } from './flags.ts'
import type { Monitoring, MonitoringOptions } from './monitoring.ts'

export interface TelltaleOptions extends FlagsOptions, MonitoringOptions {}

/** `setContext` says who the person is: its targeting key is the user of everything that follows. */
export interface Telltale extends Flags, Monitoring {}
