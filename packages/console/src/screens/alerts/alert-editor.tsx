import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import {
  type Alert,
  type AlertDraft,
  alertPreviewQuery,
  alertsKey,
  createAlert,
  type MeasureRule,
  updateAlert,
} from '../../api/alerts.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { toProblem } from '../../api/problem.ts'
import { ChannelChoice } from '../../features/alerts/channel-choice.tsx'
import { useMayHere } from '../../shell/account.ts'
import { MayNoticeHere } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { type AlertForm, nameOf, type ReadAlertForm, readAlertForm } from './alert-form.ts'
import { EventFields } from './event-fields.tsx'
import { MeasureFields } from './measure-fields.tsx'
import { Past } from './past-panel.tsx'

type AlertEditorProps = {
  /** Undefined for a new one. */
  alert: Alert | undefined
  start: AlertForm
  /** The evaluated environment. */
  env: string
  onSaved: (alert: Alert) => void
}

/** The editor of an alert: rule, recipients, and when it would have fired. */
export function AlertEditor({ alert, start, env, onSaved }: AlertEditorProps) {
  const { project } = useScope()
  const mayChange = useMayHere('alerts.change')
  const [initial] = useState(start)
  const [form, setForm] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setKey] = useState(newIdempotencyKey)
  const read = readAlertForm(form, env)
  const saving = useSaving({ project, alert, idempotencyKey, onSaved })
  const problem = saving.error && toProblem(saving.error)
  const faults = isChecked ? read.faults : {}
  const isDirty = JSON.stringify(form) !== JSON.stringify(initial)

  function edit(change: Partial<AlertForm>) {
    setForm((now) => ({ ...now, ...change }))
    setKey(newIdempotencyKey())
    saving.reset()
  }
  function submit() {
    setChecked(true)
    if (read.draft !== undefined && !saving.isPending) saving.mutate(read.draft)
  }

  return (
    <form
      noValidate
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <MayNoticeHere permission="alerts.change" />
      <ProblemNotice problem={problem} />
      <Panel
        title="Rule"
        actions={
          <Segmented
            label="Watches"
            choices={[
              { value: 'measure', label: 'Measure' },
              { value: 'events', label: 'Events' },
            ]}
            value={form.about}
            onValue={(about) => edit({ about })}
          />
        }
      >
        {form.about === 'measure' ? (
          <MeasureFields form={form} faults={faults} edit={edit} />
        ) : (
          <EventFields events={form.events} fault={faults.events} edit={edit} />
        )}
      </Panel>
      {form.about === 'measure' && <Preview project={project} env={env} rule={read.rule} />}
      <Panel title="Notify">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
          <ChannelChoice
            chosen={form.channels}
            onChosen={(channels) => edit({ channels })}
            without="The alert is shown only in the console."
          />
          <Field
            label="Name"
            value={form.name ?? nameOf(form)}
            onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
            maxLength={limits.nameLength}
            hint="Used as the title of notifications."
            fault={faults.name}
            autoComplete="off"
          />
        </div>
      </Panel>
      <div className="flex flex-wrap items-center gap-8">
        <Button type="submit" look="primary" disabled={!mayChange} busy={saving.isPending}>
          {alert ? 'Save' : 'Create alert'}
        </Button>
        <Cancel alert={alert} />
        {isChecked && <WhatIsMissing faults={read.faults} />}
      </div>
      <UnsavedGuard
        when={isDirty && mayChange && !saving.isPending && !saving.isSuccess}
        what={alert ? `the alert ${alert.name}` : 'the new alert'}
      />
    </form>
  )
}

interface Saving {
  project: string
  alert: Alert | undefined
  idempotencyKey: string
  onSaved: (alert: Alert) => void
}

function useSaving({ project, alert, idempotencyKey, onSaved }: Saving) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (draft: AlertDraft) =>
      alert ? updateAlert({ project, alert, draft }) : createAlert({ project, draft, idempotencyKey }),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: alertsKey(project) })
      onSaved(saved)
    },
  })
}

function Cancel({ alert }: Pick<AlertEditorProps, 'alert'>) {
  if (alert === undefined) {
    return (
      <Link from="/p/$project" to="/p/$project/alerts" className={buttonClass()}>
        Cancel
      </Link>
    )
  }
  return (
    <Link
      from="/p/$project"
      to="/p/$project/alerts/$alert"
      params={{ alert: alert.id }}
      className={buttonClass()}
    >
      Cancel
    </Link>
  )
}

/** Repeated beside the button: the fields may be scrolled out of view. */
function WhatIsMissing({ faults }: Pick<ReadAlertForm, 'faults'>) {
  const words = Object.values(faults)
  if (words.length === 0) return null
  return (
    <p role="alert" className="text-bad">
      {words.join(' ')}
    </p>
  )
}

function Preview({ project, env, rule }: { project: string; env: string; rule: MeasureRule | undefined }) {
  const settled = useSettled(rule, JSON.stringify(rule ?? null), 500)
  return (
    <Panel title="When it would have fired" note="in the last days, with this rule">
      {settled === undefined ? (
        <p className="text-text-3">Enter a threshold to preview it on the last days.</p>
      ) : (
        <Measured project={project} env={env} rule={settled} />
      )}
    </Panel>
  )
}

function Measured({ project, env, rule }: { project: string; env: string; rule: MeasureRule }) {
  const past = useQuery(alertPreviewQuery({ project, env }, rule))
  return (
    <Async of={past} isEmpty={() => false}>
      {(found) => <Past past={found} rule={rule} />}
    </Async>
  )
}
