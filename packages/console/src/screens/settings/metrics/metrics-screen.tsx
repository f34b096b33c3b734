import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { unitsForVerdict } from '@telltale/core/guard/judge-metric'
import { useMemo, useState } from 'react'
import { deleteMetric, type Metric, metricsKey, metricsQuery } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ListSection } from '../../../ui/table/list-section.tsx'
import { LimitDialog } from './limit-dialog.tsx'
import { metricColumns } from './metric-columns.tsx'
import { MetricDialog } from './metric-dialog.tsx'

type Open = { kind: 'edit'; metric: Metric | undefined } | { kind: 'delete' | 'limit'; metric: Metric }

/** The metrics of this project: its own, and the built-in ones. */
export function MetricsScreen() {
  const { project } = useScope()
  const metrics = useQuery(metricsQuery(project))
  const mayChange = useMay('flags.change')
  const [open, setOpen] = useState<Open>()
  const create = () => setOpen({ kind: 'edit', metric: undefined })
  const newButton = useNewButton({ label: 'New metric', mayCreate: mayChange, create })
  const own = useMemo(
    () =>
      metricColumns({
        mayChange,
        onEdit: (metric) => setOpen({ kind: 'edit', metric }),
        onDelete: (metric) => setOpen({ kind: 'delete', metric }),
      }),
    [mayChange],
  )
  const builtIn = useMemo(
    () => metricColumns({ mayChange, onEdit: (metric) => setOpen({ kind: 'limit', metric }) }),
    [mayChange],
  )

  return (
    <SectionScreen
      of="settings"
      title="Metrics and limits"
      lead={`Metrics for comparing variations. A limit is the default for rollouts. Verdicts on values need ${unitsForVerdict} users per variation; verdicts on rare events may need fewer.`}
      actions={newButton}
    >
      <MayNotice permission="flags.change" />
      <Async of={metrics}>
        {(items) => (
          <>
            <ListSection title="Custom" note="based on events your application sends">
              <Async
                of={{ ...metrics, data: items.filter((metric) => !metric.builtIn) }}
                empty={
                  <Empty title="No custom metrics">
                    Orders, sign-ups, revenue: use any event your application sends.
                  </Empty>
                }
              >
                {(rows) => (
                  <DataTable label="Custom metrics" rows={rows} rowId={keyOf} columns={own} tall={false} />
                )}
              </Async>
            </ListSection>
            <ListSection title="Built in" note="no setup needed; limits are per project">
              <DataTable
                label="Built-in metrics"
                rows={items.filter((metric) => metric.builtIn)}
                rowId={keyOf}
                columns={builtIn}
                tall={false}
              />
            </ListSection>
          </>
        )}
      </Async>
      {open?.kind === 'edit' && <MetricDialog metric={open.metric} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'limit' && <LimitDialog metric={open.metric} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'delete' && <DeleteMetric metric={open.metric} onClose={() => setOpen(undefined)} />}
    </SectionScreen>
  )
}

const keyOf = ({ key }: Metric) => key

function DeleteMetric({ metric, onClose }: { metric: Metric; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: deleteMetric,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: metricsKey(project) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete metric ${metric.name}`}
      consequence="Comparisons no longer show it. Ended rollouts keep their results. A running rollout that uses it goes on hold."
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error ? toProblem(deleting.error) : null}
      onConfirm={() => deleting.mutate({ project, metric: metric.key })}
      onClose={onClose}
    />
  )
}
