import { use, useSyncExternalStore } from 'react'
import { getConnection, listenToConnection } from '../api/connection.ts'
import { TimeZone, useNow } from '../ui/text/time.tsx'
import { timeText, zoneName } from '../ui/text/time-text.ts'

/** Shows that the server is unreachable, and since when the data is stale. Otherwise renders nothing. */
export function ConnectionState({ quiet }: { quiet: boolean }) {
  const connection = useSyncExternalStore(listenToConnection, getConnection)
  return (
    <span
      role="status"
      className={`inline-flex shrink-0 items-center gap-6 text-12 text-text-2 ${connection.isLost ? '' : quiet ? '-ml-8' : 'max-wide:-ml-8'}`}
    >
      {connection.isLost ? (
        <Lost since={connection.answeredAt} />
      ) : (
        <span className={quiet ? 'sr-only' : 'inline-flex items-center gap-6 max-wide:hidden'}>
          <span aria-hidden="true" className="size-8 rounded-round bg-ok-fill forced-color-adjust-none" />
          <span className="max-full:sr-only">Live</span>
        </span>
      )}
    </span>
  )
}

function Lost({ since }: { since: number }) {
  const now = useNow()
  const timeZone = use(TimeZone)
  return (
    <>
      <span
        aria-hidden="true"
        className="size-8 shrink-0 rotate-45 bg-warn-fill forced-color-adjust-none motion-safe:animate-live"
      />
      <span className="text-warn">
        Reconnecting
        <span className="max-wide:sr-only">
          , last data {`${timeText(since, now, timeZone)} ${zoneName(timeZone)}`}
        </span>
      </span>
    </>
  )
}
