import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  discardQuarantine,
  type EnvironmentRef,
  type QuarantineGroup,
  quarantineQuery,
  retryQuarantine,
} from '../../../api/intake.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { Time } from '../../../ui/text/time.tsx'

export function QuarantinePanel({ place }: { place: EnvironmentRef }) {
  const found = useQuery(quarantineQuery(place))
  const mayManage = useMay('environments.manage', place.env)
  const [discarded, setDiscarded] = useState<QuarantineGroup>()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: quarantineQuery(place).queryKey })
  const retrying = useMutation({
    mutationFn: retryQuarantine,
    onSuccess: async ({ stored, left }) => {
      showToast({
        text:
          left === 0 ? `${rowsText(stored)} stored.` : `${rowsText(stored)} stored, ${left} rejected again.`,
      })
      await refresh()
    },
  })
  const discarding = useMutation({
    mutationFn: discardQuarantine,
    onSuccess: async ({ discarded: count }) => {
      setDiscarded(undefined)
      showToast({ text: `${rowsText(count)} discarded.` })
      await refresh()
    },
  })
  const problem = retrying.error && toProblem(retrying.error)

  return (
    <Panel title="Quarantine" note="Rows rejected by the telemetry store" flush>
      {problem && (
        <div className="px-14 pt-12">
          <ProblemNotice problem={problem} />
        </div>
      )}
      <Async
        of={found}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty title="Quarantine is empty">The store accepted every row.</Empty>}
      >
        {({ items, complete }) => (
          <>
            <ul>
              {items.map((group) => (
                <Group
                  key={group.id}
                  group={group}
                  mayManage={mayManage}
                  busy={retrying.isPending && retrying.variables.groups.includes(group.id)}
                  onRetry={() => retrying.mutate({ ...place, groups: [group.id] })}
                  onDiscard={() => setDiscarded(group)}
                />
              ))}
            </ul>
            {!complete && (
              <p className="border-line border-t px-14 py-8 text-12 text-text-3">
                More rows appear once these are processed.
              </p>
            )}
          </>
        )}
      </Async>
      {discarded && (
        <ConfirmDialog
          title={`Discard ${rowsText(discarded.count)} of ${discarded.table}`}
          consequence="They are deleted from the server's disk and never stored. This cannot be undone."
          verb="Discard"
          busy={discarding.isPending}
          problem={discarding.error && toProblem(discarding.error)}
          onConfirm={() => discarding.mutate({ ...place, groups: [discarded.id] })}
          onClose={() => setDiscarded(undefined)}
        />
      )}
    </Panel>
  )
}

const rowsText = (count: number) => (count === 1 ? '1 row' : `${count} rows`)

type GroupProps = {
  group: QuarantineGroup
  mayManage: boolean
  busy: boolean
  onRetry: () => void
  onDiscard: () => void
}

function Group({ group, mayManage, busy, onRetry, onDiscard }: GroupProps) {
  return (
    <li className="grid gap-8 border-line border-t px-14 py-12 first:border-t-0">
      <div className="flex flex-wrap items-start justify-between gap-12">
        <div className="grid min-w-0 flex-1 basis-full gap-2 wide:basis-0">
          <p>
            {rowsText(group.count)} of <code>{group.table}</code>, since <Time at={group.since} />
          </p>
          <p className="break-words text-text-2">{group.reason}</p>
        </div>
        <div className="flex gap-8">
          <Button disabled={!mayManage} busy={busy} onClick={onRetry}>
            Try again
          </Button>
          <Button look="danger" disabled={!mayManage || busy} onClick={onDiscard}>
            Discard…
          </Button>
        </div>
      </div>
      <details>
        <summary className="w-fit cursor-pointer text-text-3">Examples</summary>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-16 gap-y-2 pt-8 font-code text-12">
          {Object.entries(group.sample).map(([column, value]) => (
            <div key={column} className="contents">
              <dt className="text-text-3">{column}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}
