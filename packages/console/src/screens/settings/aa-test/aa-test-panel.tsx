import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AaTest, aaTestQuery, restartAaTest } from '../../../api/aa-test.ts'
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
import { alarmsText, likelyCauses, verdictText } from './aa-test-words.ts'
import { RoundTable } from './round-table.tsx'

type AaTestPanelProps = { project: string; environment: Environment }

/** The error rates of the guard's statistics on this site. Renders nothing before the first run. */
export function AaTestPanel({ project, environment }: AaTestPanelProps) {
  const aaTest = useQuery(aaTestQuery(project, environment.key))
  if (!environment.aaTest && (aaTest.data === undefined || aaTest.data.verdict === 'off')) return null
  return (
    <Panel
      title="False alarms on this site"
      note="A/A tests with identical hidden halves"
      actions={environment.aaTest && <BeginAnew project={project} environment={environment} />}
      flush
    >
      <Async of={aaTest}>{(found) => <AaTestResult aaTest={found} />}</Async>
    </Panel>
  )
}

function AaTestResult({ aaTest }: { aaTest: AaTest }) {
  const { verdict, present, past } = aaTest
  const isTrouble = verdict === 'exceeded' || verdict === 'split-wrong'
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12 py-12">
      <div className="grid gap-8 px-14">
        {isTrouble ? (
          <Notice tone="warn" title={verdictText(aaTest)} detail={<LikelyCauses />} />
        ) : (
          <p className="max-w-read text-pretty">{verdictText(aaTest)}</p>
        )}
        {present && (
          <p className="text-12 text-text-3">
            Round {present.round} {present.endedAt === null ? 'since' : 'from'}{' '}
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
      {present && present.metrics.length > 0 && <RoundTable round={present} />}
      {past.length > 0 && (
        <PlainTable
          label="Previous rounds"
          rows={past}
          rowId={({ round }) => String(round)}
          columns={[
            {
              id: 'alarms',
              header: 'Alarms in previous rounds',
              cell: (round) => (
                <span className="block truncate" title={alarmsText(round)}>
                  {alarmsText(round)}
                </span>
              ),
            },
            {
              id: 'counted',
              header: 'Counted',
              cell: ({ isCounted }) => (isCounted ? 'Yes' : 'Previous series'),
            },
            { id: 'round', header: 'Round', cell: ({ round }) => round, align: 'end' },
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

function BeginAnew({ project, environment }: AaTestPanelProps) {
  const [isOpen, setOpen] = useState(false)
  const mayManage = useMay('environments.manage', environment.key)
  const queryClient = useQueryClient()
  const beginning = useMutation({
    mutationFn: restartAaTest,
    onSuccess: async () => {
      setOpen(false)
      await queryClient.invalidateQueries(aaTestQuery(project, environment.key))
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
          consequence="Ends the current round. Earlier rounds stay in the list but no longer count. Do this after you have fixed the telemetry."
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
