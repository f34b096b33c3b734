import { useQuery } from '@tanstack/react-query'
import { type Erasure, erasuresQuery } from '../../../api/privacy.ts'
import { Async, Empty } from '../../../ui/states.tsx'
import { Time } from '../../../ui/text/time.tsx'

export function ErasureReceipts({ place }: { place: { project: string; env: string } }) {
  const erasures = useQuery(erasuresQuery(place))
  return (
    <Async
      of={erasures}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <div className="border-line border-t">
          <Empty title="No erasures yet">Receipts list the deleted rows by table, and what remains.</Empty>
        </div>
      }
    >
      {({ items }) => (
        <ul aria-label="Receipts">
          {items.map((one) => (
            <li key={one.id} className="grid gap-2 border-line border-t px-14 py-8">
              <span className="flex flex-wrap gap-x-12">
                <code className="min-w-0 break-words">{one.person}</code>
                <span>{one.state === 'waiting' ? 'Waiting for the telemetry store' : 'Erased'}</span>
                <span className="text-text-3">
                  <Time at={one.requestedAt} /> by {one.requestedBy}
                </span>
              </span>
              <span className="text-12 text-text-2">{rowsText(one)}</span>
              <Proof erasure={one} />
              <Remains erasure={one} />
            </li>
          ))}
        </ul>
      )}
    </Async>
  )
}

/** The verification after the erasure. */
function Proof({ erasure }: { erasure: Erasure }) {
  const { checkedAt, offDiskAt, state, blockedUntil } = erasure
  if (checkedAt === null) return null
  return (
    <ul className="text-12 text-text-3">
      <li>
        Checked again <Time at={checkedAt} />: nothing found
      </li>
      {offDiskAt !== null && (
        <li>
          Removed from the telemetry store's files <Time at={offDiskAt} />
        </li>
      )}
      {state === 'erased' && (
        <li>
          Late data is refused until <Time at={blockedUntil} />
        </li>
      )}
    </ul>
  )
}

function Remains({ erasure: { remains } }: { erasure: Erasure }) {
  if (remains.length === 0) return <p className="text-12">Nothing remains.</p>
  return (
    <div className="text-12">
      <p className="text-text-2">Still holds data of this user:</p>
      <ul className="list-disc ps-16 text-text-2" aria-label="Remains">
        {remains.map((one) => (
          <li key={one.place}>
            <Remainder remainder={one} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Remainder({ remainder: { place, until, names } }: { remainder: Erasure['remains'][number] }) {
  switch (place) {
    case 'telemetry-tables':
      return 'Telemetry store: deleted as soon as it is available'
    case 'telemetry-files':
      return 'Replaced files of the telemetry store: removed within minutes'
    case 'spool':
      return 'Spool: removed once its events are stored, within minutes'
    case 'database-files':
      return 'Tables and write-ahead log of PostgreSQL: rewritten within minutes'
    case 'erasure':
      return (
        <>
          This receipt keeps the IDs to find late data
          {until !== null && (
            <>
              {' '}
              until <Time at={until} />
            </>
          )}
        </>
      )
    case 'backups':
      return (
        <>
          {names.length === 1 ? '1 backup' : `${names.length} backups`}, the newest from{' '}
          <Time at={names.reduce((newest, at) => (at > newest ? at : newest), '')} />: deleted as newer ones
          replace them
        </>
      )
    case 'database-server':
      return 'Write-ahead log, replicas and backups of your PostgreSQL server: by its own settings'
    case 'configuration':
      return <>Configuration that names the user, with its history, until you change it: {names.join(', ')}</>
  }
}

function rowsText({ tables }: Erasure): string {
  const found = tables.filter(({ rows }) => rows > 0)
  return found.length === 0 ? 'No row so far' : found.map(({ table, rows }) => `${table} ${rows}`).join(', ')
}
