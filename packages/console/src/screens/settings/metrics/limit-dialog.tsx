import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Metric, metricsKey, updateMetric } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { limitText } from '../../../ui/text/effect-text.ts'
import { percentText, readLimit } from './metric-form.ts'

/** The project's limit for a built-in metric. */
export function LimitDialog({ metric, onClose }: { metric: Metric; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const [text, setText] = useState(percentText(metric.limit))
  const [isChecked, setChecked] = useState(false)
  const { limit, fault } = readLimit(text)
  const saving = useMutation({
    mutationFn: (next: number | null) => updateMetric({ project, metric, change: { limit: next } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: metricsKey(project) })
      onClose()
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const { usualLimit, better } = metric

  function submit() {
    setChecked(true)
    if (fault === undefined && !saving.isPending) saving.mutate(limit)
  }

  return (
    <Dialog
      title={`Limit of ${metric.name}`}
      description="Default for new rollouts of this project. Running rollouts keep theirs."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          {usualLimit !== null && usualLimit !== metric.limit && (
            <Button disabled={saving.isPending} onClick={() => saving.mutate(null)}>
              Reset to {limitText(usualLimit, better)}
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            Save
          </Button>
        </>
      }
    >
      <ProblemNotice problem={problem} />
      <span className="w-[16ch]">
        <Field
          label="Limit in %"
          inputMode="decimal"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          hint={better === 'higher' ? 'Maximum decrease.' : 'Maximum increase.'}
          fault={isChecked ? fault : undefined}
          autoComplete="off"
          autoFocus
        />
      </span>
    </Dialog>
  )
}
