// The way in by npm.

import { init as start, type Telltale, type TelltaleOptions } from './boot/init.ts'

export type { Telltale, TelltaleOptions } from './boot/init.ts'
export type { BeforeSend, Consent, Monitoring, MonitoringOptions } from './monitoring.ts'

export function init(options: TelltaleOptions): Telltale {
  return start(options)
}
