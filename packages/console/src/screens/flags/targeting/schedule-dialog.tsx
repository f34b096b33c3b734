import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import { configKey } from '../../../api/flag-configs.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { toProblem } from '../../../api/problem.ts'
import { type ScheduleOutcome, scheduleChange } from '../../../api/scheduled-changes.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfigDiff } from '../../../ui/diff/diff-view.tsx'
import { Field, TextArea } from '../../../ui/form/field.tsx'
import { Notice, ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { instantIn, localIn } from '../../../ui/text/zoned-time.ts'
import { type Draft, patchOf } from './draft.ts'
import { ConsequenceView } from './review-changes.tsx'
import { useTargeting } from './targeting-context.ts'

type ScheduleDialogProps = {
  environment: Environment
  before: Draft
  after: Draft
  needsApproval: boolean
  onScheduled: (outcome: ScheduleOutcome) => void
  onClose: () => void
}

const hour = 3_600_000

/** Saves the changed parts of the draft automatically at a given time. */
export function ScheduleDialog(props: ScheduleDialogProps) {
  const { environment, before, after, needsApproval, onScheduled, onClose } = props
  const { timeZone } = environment
  const { place } = useTargeting()
  const queryClient = useQueryClient()
  const [local, setLocal] = useState(() => localIn(timeZone, nextHour(Date.now())))
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const scheduling = useMutation({
    mutationFn: scheduleChange,
    onSuccess: async (outcome) => {
      await queryClient.invalidateQueries({ queryKey: configKey(place) })
      onScheduled(outcome)
    },
    // A changed request needs a new idempotency key.
    onError: () => setIdempotencyKey(newIdempotencyKey()),
  })
  const problem = scheduling.error && toProblem(scheduling.error)
  const at = instantIn(timeZone, local)
  const timeFault = faultOf(at) ?? problem?.errors.find(({ pointer }) => pointer === '/at')?.message
  const isReasonMissing = environment.protected && reason.trim() === ''

  function submit() {
    setChecked(true)
    const change = patchOf(before, after)
    if (!at || faultOf(at) || !change || isReasonMissing || scheduling.isPending) return
    scheduling.mutate({ place, at, change, reason: reason.trim(), idempotencyKey })
  }

  return (
    <Dialog
      title={`Schedule this change of ${place.flag} in ${environment.name}`}
      description="Only the parts you changed are applied, on top of the version saved at that time. All rules count as one part."
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button type="submit" look="primary" busy={scheduling.isPending}>
            {needsApproval ? 'Request approval' : 'Schedule change'}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={problem} />
      <ConsequenceView before={before} after={after} />
      <ConfigDiff before={before} after={after} />
      <div className="max-w-card">
        <Field
          label={`Date and time in ${timeZone}`}
          type="datetime-local"
          value={local}
          onChange={(event) => setLocal(event.currentTarget.value)}
          hint={at ? `${new Date(at).toUTCString().replace('GMT', 'UTC')}` : undefined}
          fault={isChecked || at === undefined ? timeFault : undefined}
          autoFocus
        />
      </div>
      <TextArea
        label={environment.protected ? 'Reason' : 'Reason (optional)'}
        hint="Shown in the history."
        fault={isChecked && isReasonMissing ? 'Enter a reason.' : undefined}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
      />
      {needsApproval && (
        <Notice
          tone="info"
          title="Needs approval"
          detail="A second maintainer must approve it before that time."
        />
      )}
    </Dialog>
  )
}

function faultOf(at: string | undefined): string | undefined {
  if (at === undefined) return 'Enter a date and time that are valid in that time zone.'
  return Date.parse(at) > Date.now() ? undefined : 'Choose a time in the future.'
}

function nextHour(now: number): number {
  return Math.ceil((now + 1) / hour) * hour
}
