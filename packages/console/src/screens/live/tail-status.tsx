import { use } from 'react'
import { Button } from '../../ui/button.tsx'
import { KeyCap } from '../../ui/form/field.tsx'
import { TimeZone } from '../../ui/text/time.tsx'
import { clockText } from '../../ui/text/time-text.ts'
import type { TailState } from './tail-state.ts'

type TailStatusProps = { state: TailState; onPause: () => void; onResume: () => void }

/** Whether the tail is running, and which part of the events is shown. */
export function TailStatus({ state, onPause, onResume }: TailStatusProps) {
  const { isPaused, newCount } = state
  return (
    <div className="flex min-h-ctl flex-wrap items-center gap-x-12 gap-y-4">
      <Button onClick={isPaused ? onResume : onPause} aria-keyshortcuts="Space">
        {isPaused ? 'Resume' : 'Pause'}
        <KeyCap>space</KeyCap>
      </Button>
      <span role="status" className="inline-flex items-center gap-6">
        <Running state={state} />
      </span>
      {isPaused && newCount > 0 && (
        <Button look="quiet" onClick={onResume}>
          {newCount.toLocaleString('en')} new
        </Button>
      )}
      <Pace state={state} />
    </div>
  )
}

function Running({ state: { connection, problem, isPaused, lastAt } }: { state: TailState }) {
  const timeZone = use(TimeZone)
  if (problem !== undefined) return <span className="text-text-2">Stopped</span>
  if (connection === 'connecting') return <span className="text-text-2">Connecting</span>
  if (connection === 'lost') {
    const last =
      lastAt === undefined ? '' : `, last event ${clockText(new Date(lastAt).toISOString(), timeZone)}`
    return (
      <>
        <span
          aria-hidden="true"
          className="size-8 shrink-0 rotate-45 bg-warn-fill motion-safe:animate-live"
        />
        <span className="text-warn">Reconnecting{last}</span>
      </>
    )
  }
  if (isPaused) {
    return (
      <>
        <span aria-hidden="true" className="size-8 border-current border-x-3 text-text-2" />
        <span>Paused</span>
      </>
    )
  }
  return (
    <>
      <span aria-hidden="true" className="size-8 rounded-round bg-ok-fill motion-safe:animate-live" />
      <span>Running</span>
    </>
  )
}

/** Not announced: it changes every second. */
function Pace({ state: { arrived, dropped, droppedInAll } }: { state: TailState }) {
  const count = (value: number) => value.toLocaleString('en')
  return (
    <span className="ml-auto text-12 text-text-3 max-wide:ml-0">
      {dropped > 0 && (
        <span className="text-warn">
          Dropping {count(dropped)} of {count(arrived)} per s to keep up
        </span>
      )}
      {dropped === 0 && droppedInAll > 0 && `${count(droppedInAll)} hidden so far`}
    </span>
  )
}
