import type { SignedUsers } from '../../../api/signed-users.ts'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { fullCountText } from '../../../ui/text/measure-text.ts'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { refusableText } from './refusable-text.ts'

/** Those that matter first, because narrow windows show the first ones. */
const verdicts = ['unsigned', 'invalid', 'expired', 'signed'] as const
const headers = { signed: 'Signed', unsigned: 'Unsigned', invalid: 'Invalid', expired: 'Expired' }
const sources = { flags: 'Flags', telemetry: 'Telemetry' }

/** The requests of each day that named a user. */
export function SignedDays({ days, latest }: Pick<SignedUsers, 'days' | 'latest'>) {
  if (days.length === 0) return <p className="text-text-2">No request has named a user yet.</p>
  const rows = days
    .flatMap((day) =>
      (['flags', 'telemetry'] as const).map((source) => ({ day: day.day, source, counts: day[source] })),
    )
    .filter(({ counts }) => verdicts.some((verdict) => counts[verdict] > 0))
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8">
      <p className="text-text-2">
        {refusableText(days)}
        {latest !== null && (
          <>
            {' '}
            The latest: {sources[latest.source].toLowerCase()}, {latest.verdict}, <TimeAgo at={latest.at} />.
          </>
        )}
      </p>
      <div className="min-w-0 rounded-panel border border-line">
        <PlainTable
          label="Requests that named a user, by day"
          rows={rows}
          rowId={({ day, source }) => `${day} ${source}`}
          columns={[
            { id: 'day', header: 'Day (UTC)', cell: ({ day, source }) => `${day}, ${sources[source]}` },
            ...verdicts.map((verdict) => ({
              id: verdict,
              header: headers[verdict],
              align: 'end' as const,
              cell: ({ counts }: (typeof rows)[number]) => fullCountText(counts[verdict]),
            })),
          ]}
        />
      </div>
    </div>
  )
}
