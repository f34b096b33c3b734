import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beginCanary, type Canary, canaryQuery } from '../../../api/canary.ts'
import type { Environment } from '../../../api/environments.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { Time, TimeAgo } from '../../../ui/text/time.tsx'
import { alarmsText, likelyCauses, verdictText } from './canary-words.ts'
import { DrawTable } from './draw-table.tsx'

type CanaryPanelProps = { project: string; environment: Environment }

/** How often the statistics of the guard err on this site. Nothing of it while it never ran. */
export function CanaryPanel({ project, environment }: CanaryPanelProps) {
  const canary = useQuery(canaryQuery(project, environment.key))
  if (!environment.canary && (canary.data === undefined || canary.data.verdict === 'off')) return null
  return (
    <Panel
      title="False alarms on this site"
      note="A/A tests with identical hidden halves"
      actions={environment.canary && <BeginAnew project={project} environment={environment} />}
      flush
    >
      <Async of={canary}>{(found) => <CanaryResult canary={found} />}</Async>
    </Panel>
  )
}

function CanaryResult({ canary }: { canary: Canary }) {
  const { verdict, present, past } = canary
  const isTrouble = verdict === 'exceeded' || verdict === 'split-wrong'
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12 py-12">
      <div className="grid gap-8 px-14">
        {isTrouble ? (
          <Notice tone="warn" title={verdictText(canary)} detail={<LikelyCauses />} />
        ) : (
          <p className="max-w-read text-pretty">{verdictText(canary)}</p>
        )}
        {present && (
          <p className="text-12 text-text-3">
            Series {present.draw} {present.endedAt === null ? 'since' : 'from'}{' '}
            <Time at={present.startedAt} />
            {present.endedAt !== null && (
              <>
                {' '}
                to <Time at={present.endedAt} />
              </>
            )}
            , last check <TimeAgo at={present.checkedAt} none="not yet" />. Always-valid 95% intervals.
          </p>
        )}
      </div>
      {present && present.metrics.length > 0 && <DrawTable draw={present} />}
      {past.length > 0 && (
        <PlainTable
          label="Previous series"
          rows={past}
          rowId={({ draw }) => String(draw)}
          columns={[
            {
              id: 'alarms',
              header: 'Alarms in previous series',
              cell: (draw) => (
                <span className="block truncate" title={alarmsText(draw)}>
                  {alarmsText(draw)}
                </span>
              ),
            },
            {
              id: 'counted',
              header: 'Counted',
              cell: ({ isCounted }) => (isCounted ? 'Yes' : 'Previous series'),
            },
            { id: 'draw', header: 'Series', cell: ({ draw }) => draw, align: 'end' },
            {
              id: 'began',
              header: 'Started',
              cell: ({ startedAt }) => <Time at={startedAt} />,
              align: 'end',
            },
          ]}
        />
      )}
    </div>
  )
}

function LikelyCauses() {
  return (
    <div className="grid gap-4 pt-4">
      <p>Possible causes:</p>
      <ul className="grid list-disc gap-2 pl-16">
        {likelyCauses.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ul>
    </div>
  )
}

function BeginAnew({ project, environment }: CanaryPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const mayManage = useMay('environments.manage')
  const queryClient = useQueryClient()
  const beginning = useMutation({
    mutationFn: beginCanary,
    onSuccess: async () => {
      setOpen(false)
      await queryClient.invalidateQueries(canaryQuery(project, environment.key))
    },
  })
  return (
    <>
      <Button size="small" disabled={!mayManage} onClick={() => setOpen(true)}>
        Restart…
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Restart the A/A test of ${environment.name}`}
          consequence="Ends the current series. Earlier series stay in the list but no longer count. Do this after you have fixed the telemetry."
          verb="Restart"
          danger={false}
          busy={beginning.isPending}
          problem={beginning.error && toProblem(beginning.error)}
          onConfirm={() => beginning.mutate({ project, env: environment.key })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
