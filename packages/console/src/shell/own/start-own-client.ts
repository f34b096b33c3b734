// The console as a customer of its own server: its flags, and what its users wait for and run into, in the installation's
// own project. No name that somebody gave, no address of a user and nothing typed leaves with it.

import { type Flags, startFlags } from '@telltale/browser/flags'
import { init, type MonitoringOptions, type Telltale } from '@telltale/browser/telltale'
import { templateOf } from '../../api/call-templates.ts'
import { reportCaughtTo } from './caught-errors.ts'
import { withoutNamesFor } from './without-names.ts'

export interface OwnCustomer {
  key: string
  user: { id: string; role: string }
  isMonitored: boolean
  /** The pattern of the screen at a path: `/p/:project/flags`. */
  screenOf: (path: string) => string | undefined
}

let unmonitored: Flags | undefined
/** One for the life of the page: what it watches cannot be unwatched. */
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
    // Rows and links bear the names of people's things: of what is clicked, only where it stands is told.
    privacyLevel: 'mask-all',
    // A picture of a screen would show addresses and keys of flags, whatever is masked of its text.
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
