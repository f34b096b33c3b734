// The npm entry point.

import { init as start } from './boot/init.ts'
import type { Telltale, TelltaleOptions } from './options.ts'

export type { FlagContext, FlagDetails, FlagStatus, JsonValue } from './flags.ts'
export type { BeforeSend, Consent, Monitoring, MonitoringOptions } from './monitoring.ts'
export type { Telltale, TelltaleOptions } from './options.ts'

export function init(options: TelltaleOptions): Telltale {
  return start(options, {
    loadSampled: () => import('./boot/start-sampled.ts'),
    loadToolbar: () => import('./toolbar/open.ts'),
  })
}
