import { useQuery } from '@tanstack/react-query'
import { quotasQuery, type Sampling } from '../../../api/quotas.ts'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { shareText } from '../../../ui/text/measure-text.ts'
import { Time } from '../../../ui/text/time.tsx'

/** When less than everything was stored. Nothing if that never happened. */
export function SampledTimes({ project }: { project: string }) {
  const quotas = useQuery(quotasQuery(project))
  const samplings = quotas.data?.samplings ?? []
  if (samplings.length === 0) return null
  return (
    <Panel title="Reduced data" note="Stored events weigh more, so counts of these times are estimates" flush>
      <PlainTable
        label="Times with reduced data"
        rows={samplings}
        rowId={({ id }) => id}
        columns={[
          {
            id: 'what',
            header: 'Stored',
            cell: (one) => <span className="block truncate">{storedText(one)}</span>,
          },
          { id: 'why', header: 'Because of', cell: reasonText },
          { id: 'from', header: 'From', cell: ({ beganAt }) => <Time at={beganAt} /> },
          { id: 'to', header: 'To', cell: ({ endedAt }) => <Time at={endedAt} none="now" /> },
        ]}
      />
    </Panel>
  )
}

function storedText({ share, pausesRecording }: Sampling): string {
  const sessions = share < 1 ? `${shareText(share)} of sessions` : 'All sessions'
  return pausesRecording ? `${sessions}, no replays and profiles` : sessions
}

const reasonText = ({ reason, environment }: Sampling) =>
  reason === 'quota' ? 'A quota' : `A spike in ${environment ?? 'an environment'}`
