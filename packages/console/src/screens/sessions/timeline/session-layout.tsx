import type { ReactNode } from 'react'
import type { Session } from '../../../api/sessions.ts'
import { SessionHead } from './session-head.tsx'

type SessionLayoutProps = {
  session: Session
  /** The player, or the reason why it is missing. */
  top: ReactNode
  lanes: ReactNode
  /** Of the event at the playhead; at the bottom if there is no room beside the list. */
  detail: ReactNode
  panel: ReactNode
  /** There is a picture: on a phone it is at the top. */
  isPlayed?: boolean
}

/** Player, lanes and detail on the left, the list of events on the right; stacked on narrow screens. */
export function SessionLayout(props: SessionLayoutProps) {
  const { session, top, lanes, detail, panel, isPlayed = false } = props
  return (
    <div className="grid min-w-0 items-start gap-16 *:min-w-0 full:grid-cols-[minmax(0,1fr)_352px] full:grid-rows-[auto_auto_1fr]">
      <div className="full:col-span-2">
        <SessionHead session={session} />
      </div>
      <div className={`grid gap-12 *:min-w-0 ${isPlayed ? 'max-wide:-order-1' : ''}`}>
        {top}
        {lanes}
      </div>
      <div className="full:row-span-2">{panel}</div>
      <div>{detail}</div>
    </div>
  )
}
