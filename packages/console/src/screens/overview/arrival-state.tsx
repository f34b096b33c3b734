import { type ReactNode, useState } from 'react'
import { Telltale } from '../../charts/telltale.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Time, TimeAgo } from '../../ui/text/time.tsx'
import type { Arrival } from './use-arrival.ts'

const nothingYet = { est: 0, lo: 0, hi: 0, limit: 1, override: 'waiting' } as const

/** Waits for the first evaluation or event, and describes it. */
export function ArrivalState({ arrival }: { arrival: Arrival }) {
  const { evaluated, event, isSilent } = arrival
  const hasArrived = evaluated !== undefined || event !== undefined
  return (
    <>
      {/* Announced separately: the ages in the text below would be announced at every update. */}
      <p role="status" className="sr-only">
        {hasArrived && 'Your application is connected.'}
      </p>
      <div
        className={`flex flex-wrap items-center gap-x-16 gap-y-8 rounded-panel border px-12 py-10 ${hasArrived ? 'border-ok-fill bg-ok-soft' : 'border-line'}`}
      >
        {hasArrived ? (
          <Icon name="check" className="size-16 shrink-0 text-ok" />
        ) : (
          <Telltale evidence={nothingYet} size="sm" />
        )}
        <div className="grid min-w-[24ch] flex-1 gap-2 text-pretty">
          {evaluated && <Evaluated {...evaluated} />}
          {event && <Stored {...event} />}
          {!hasArrived && <Waiting arrival={arrival} />}
        </div>
      </div>
      {isSilent && (
        <div className="pt-8">
          <Notice tone="warn" title="The server does not respond. Retrying." />
        </div>
      )}
    </>
  )
}

function Evaluated({ flag, at }: { flag: string; at: string }) {
  return (
    <p>
      <b className="font-medium text-ok">Receiving evaluations.</b> <Code>{flag}</Code> was evaluated{' '}
      <TimeAgo at={at} />.
    </p>
  )
}

function Stored({ kind, page, at }: { kind: string; page: string; at: string }) {
  return (
    <p>
      <b className="font-medium text-ok">Receiving events.</b> Latest:{' '}
      <Code>{kind.replaceAll('_', ' ')}</Code>
      {page && (
        <>
          {' '}
          from <Code>{page}</Code>
        </>
      )}
      , <TimeAgo at={at} />.
    </p>
  )
}

function Waiting({ arrival: { usedAt, isStoreAway } }: { arrival: Arrival }) {
  const [since] = useState(() => new Date().toISOString())
  if (usedAt !== undefined) {
    return (
      <p className="text-text-2">
        <b className="font-medium text-text">Your application connected</b> <TimeAgo at={usedAt} />.{' '}
        {isStoreAway
          ? 'The telemetry store does not respond. Events are kept and appear here once it does.'
          : 'Its first evaluation or event appears here within seconds.'}
      </p>
    )
  }
  return (
    <p className="text-text-2">
      <b className="font-medium text-text">Waiting for the first evaluation or event.</b> Listening since{' '}
      <Time at={since} />. Open your application with the code above. This page updates automatically.
    </p>
  )
}

function Code({ children }: { children: ReactNode }) {
  return <code className="whitespace-normal [overflow-wrap:anywhere]">{children}</code>
}
