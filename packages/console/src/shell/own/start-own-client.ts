// Runs Telltale's client in the console, for its own flags and monitoring in the installation's own project. It
// sends no names that users chose, no user's e-mail address and no typed text.

import { type Flags, startFlags } from '@telltale/browser/flags'
import { init, type MonitoringOptions, type Telltale } from '@telltale/browser/telltale'
import { templateOf } from '../../api/call-templates.ts'
import { reportCaughtTo } from './caught-errors.ts'
import { withoutNamesFor } from './without-names.ts'

interface OwnCustomer {
  key: string
  user: { id: string; role: string }
  isMonitored: boolean
  /** The route pattern of a path: `/p/:project/flags`. */
  screenOf: (path: string) => string | undefined
}

let unmonitored: Flags | undefined
/** One per page load: its instrumentation cannot be removed. */
let monitored: Telltale | undefined

export function startOwnClient({ key, user, isMonitored, screenOf }: OwnCustomer): Flags {
  const context = { targetingKey: user.id, role: user.role }
  const known = monitored ?? (isMonitored ? undefined : unmonitored)
  if (known !== undefined) {
    void known.setContext(context)
    return known
  }
  const place = { url: location.origin, key, context }
  if (!isMonitored) {
    unmonitored = startFlags(place)
    return unmonitored
  }
  unmonitored?.close()
  const started = init({ ...place, ...monitoringOptions(screenOf) })
  reportCaughtTo((error, componentStack) => started.reportError(error, { componentStack }))
  monitored = started
  return started
}

function monitoringOptions(screenOf: OwnCustomer['screenOf']): MonitoringOptions {
  const withoutNames = withoutNamesFor({ origin: location.origin, screenOf, callOf: templateOf })
  return {
    service: 'console',
    version: import.meta.env.CONSOLE_VERSION,
    // Rows and links contain names chosen by users: for clicks, send only the position.
    privacyLevel: 'mask-all',
    // A recording would show URLs and flag keys, however its text is masked.
    replaySampling: 0,
    page: ({ pathname }) => screenOf(pathname),
    beforeSend(event, context) {
      for (const of of [event, context]) {
        for (const name of ['url', 'referrer']) {
          const address = of[name]
          if (typeof address === 'string') of[name] = withoutNames(address)
        }
      }
    },
  }
}
