import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import {
  type QuotaMeter,
  type QuotaPeriod,
  quotaMeters,
  quotaPeriods,
} from '@telltale/core/usage/decide-quota'
import { useState } from 'react'
import { environmentsQuery } from '../../../api/environments.ts'
import { newIdempotencyKey } from '../../../api/idempotency-key.ts'
import { keysQuery } from '../../../api/keys.ts'
import { toProblem } from '../../../api/problem.ts'
import { createQuota, type Quota, quotasQuery, updateQuota } from '../../../api/quotas.ts'
import { meterWords } from '../../../features/usage/usage-words.ts'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'

interface QuotaDialogProps {
  project: string
  /** The one to change. */
  quota?: Quota
  onClose: () => void
}

const gigabyte = 1_000_000_000
const unitOf = (meter: QuotaMeter) => (meter === 'bytes' || meter === 'replayBytes' ? gigabyte : 1)
const periodWords = { day: 'Day', month: 'Calendar month' }
const wholeProject = ''

export function QuotaDialog({ project, quota, onClose }: QuotaDialogProps) {
  const [meter, setMeter] = useState<QuotaMeter>(quota?.meter ?? 'events')
  const [period, setPeriod] = useState<QuotaPeriod>(quota?.period ?? 'month')
  const [key, setKey] = useState(wholeProject)
  const [text, setText] = useState(quota === undefined ? '' : String(quota.most / unitOf(quota.meter)))
  const [isChecked, setChecked] = useState(false)
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const most = Math.round(Number(text.replaceAll(',', '')) * unitOf(meter))
  const isGood = text.trim() !== '' && most >= limits.quotaMinimum && most <= limits.quotaMaximum
  const saving = useMutation({
    mutationFn: () =>
      quota === undefined
        ? createQuota({
            project,
            draft: { meter, period, most, ...(key === wholeProject ? {} : { key }) },
            idempotencyKey,
          })
        : updateQuota({ project, quota: quota.id, most }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: quotasQuery(project).queryKey })
      onClose()
      showToast({ text: 'Quota saved. It applies within seconds.' })
    },
    // Edits after a failure need a new key.
    onError: () => setIdempotencyKey(newIdempotencyKey()),
  })
  const save = () => {
    setChecked(true)
    if (isGood && !saving.isPending) saving.mutate()
  }

  return (
    <Dialog
      title={quota === undefined ? 'New quota' : `Quota of ${meterWords[quota.meter].toLowerCase()}`}
      onClose={onClose}
      onSubmit={save}
      footer={<FormButtons verb="Save quota" busy={saving.isPending} onCancel={onClose} />}
    >
      <ProblemNotice problem={saving.error && toProblem(saving.error)} />
      {quota === undefined && (
        <>
          <Select
            label="Meter"
            options={quotaMeters.map((value) => ({ value, label: meterWords[value] }))}
            value={meter}
            onValue={setMeter}
          />
          <Select
            label="Period"
            hint="In UTC."
            options={quotaPeriods.map((value) => ({ value, label: periodWords[value] }))}
            value={period}
            onValue={setPeriod}
          />
          <KeySelect project={project} value={key} onValue={setKey} />
        </>
      )}
      <Field
        label={unitOf(meter) === 1 ? 'At most' : 'At most, in GB'}
        inputMode="decimal"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        fault={isChecked && !isGood ? `Enter a number from ${leastText(meter)}.` : undefined}
        autoComplete="off"
      />
    </Dialog>
  )
}

const leastText = (meter: QuotaMeter) => (unitOf(meter) === 1 ? String(limits.quotaMinimum) : '0.001')

interface KeySelectProps {
  project: string
  value: string
  onValue: (value: string) => void
}

function KeySelect({ project, value, onValue }: KeySelectProps) {
  const environments = useQuery(environmentsQuery(project))
  const all = environments.data?.items ?? []
  const lists = useQueries({ queries: all.map((environment) => keysQuery(project, environment.key)) })
  const keys = lists.flatMap((list, index) =>
    (list.data?.items ?? [])
      .filter(({ revokedAt }) => revokedAt === null)
      .map(({ id, label, prefix }) => ({ value: id, label: `${label || prefix}… in ${all[index]?.name}` })),
  )
  return (
    <Select
      label="Applies to"
      options={[{ value: wholeProject, label: 'The whole project' }, ...keys]}
      value={value}
      onValue={onValue}
    />
  )
}
