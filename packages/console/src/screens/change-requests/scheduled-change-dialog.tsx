import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import {
  cancelScheduledChange,
  moveScheduledChange,
  type ScheduledChange,
} from '../../api/scheduled-changes.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useMay } from '../../shell/account.ts'
import { useReason } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { Field } from '../../ui/form/field.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { instantIn, localIn } from '../../ui/text/zoned-time.ts'
import { FaultsNotice } from './faults-notice.tsx'
import { patchText } from './part-words.ts'
import { useChanging } from './use-changing.ts'

/** The scheduled change and its time; pending ones are rescheduled and cancelled here. */
export function ScheduledChangeDialog(props: { change: ScheduledChange; onClose: () => void }) {
  const { change, onClose } = props
  const { project, environments } = useScope()
  const environment = environments.find(({ key }) => key === change.env)
  const zone = environment?.timeZone ?? 'UTC'
  const needed = environment?.protected ? 'flags.change-protected' : 'flags.change'
  const mayChange = useMay(needed, change.env)
  const plain = `This needs the role ${environment?.protected ? 'maintainer' : 'editor'}.`
  const reason = useReason(needed, environment, plain)
  const [start] = useState(() => localIn(zone, Date.parse(change.at)))
  const [local, setLocal] = useState(start)
  const [isChecked, setChecked] = useState(false)
  const moving = useChanging(moveScheduledChange, onClose)
  const cancelling = useChanging(cancelScheduledChange, onClose)
  const error = moving.error ?? cancelling.error
  const at = instantIn(zone, local)
  const fault =
    at === undefined
      ? 'Enter a date and time that are valid in that time zone.'
      : isChecked && Date.parse(at) <= Date.now()
        ? 'Choose a time in the future.'
        : undefined
  const isPending = change.state === 'pending'

  function submit() {
    setChecked(true)
    if (!at || Date.parse(at) <= Date.now() || !isPending || !mayChange || moving.isPending) return
    moving.mutate({ project, change, at })
  }

  return (
    <Dialog
      title={`Scheduled change of ${change.flag} in ${environment?.name ?? change.env}`}
      description={change.reason ?? 'Without a reason.'}
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {isPending && (
            <Button
              look="danger"
              disabled={!mayChange}
              busy={cancelling.isPending}
              onClick={() => cancelling.mutate({ project, change })}
            >
              Cancel change
            </Button>
          )}
          {isPending && (
            <Button type="submit" look="primary" disabled={!mayChange} busy={moving.isPending}>
              Change time
            </Button>
          )}
        </>
      }
    >
      <UnsavedGuard when={local !== start} what="the time" />
      <FaultsNotice problem={error && toProblem(error)} />
      <p>
        By {change.author.name}, of <FlagLink flag={change.flag} env={change.env} />
      </p>
      {change.failure && <Notice title="Not applied" detail={change.failure} />}
      {isPending && !mayChange && <Notice tone="plain" title="Read-only" detail={reason} />}
      <div className="max-w-card">
        <Field
          label={`Date and time in ${zone}`}
          type="datetime-local"
          value={local}
          onChange={(event) => setLocal(event.currentTarget.value)}
          fault={fault}
          readOnly={!isPending || !mayChange}
        />
      </div>
      <DiffView label="Changes" before="" after={patchText(change.change)} />
    </Dialog>
  )
}
