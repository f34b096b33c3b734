import type { ReactNode } from 'react'
import type { Session } from '../../../api/sessions.ts'
import { SessionHead } from './session-head.tsx'

type SessionLayoutProps = {
  session: Session
  /** The player, or why there is none. */
  top: ReactNode
  lanes: ReactNode
  /** Of the event at the playhead; below everything where there is no room beside the list. */
  detail: ReactNode
  panel: ReactNode
}

/** Player, lanes and detail to the left, the list of everything to the right; below each other where there is no room. */
export function SessionLayout({ session, top, lanes, detail, panel }: SessionLayoutProps) {
  return (
    <div className="grid min-w-0 gap-16 *:min-w-0">
      <SessionHead session={session} />
      <div className="grid min-w-0 items-start gap-16 *:min-w-0 full:grid-cols-[minmax(0,1fr)_340px] full:grid-rows-[auto_1fr]">
        <div className="grid gap-12 *:min-w-0">
          {top}
          {lanes}
        </div>
        <div className="full:row-span-2">{panel}</div>
        <div>{detail}</div>
      </div>
    </div>
  )
}
