import { limits } from '@telltale/core/limits'
import { emptyFilter, parseFilter, printFilter } from '@telltale/core/query/filter'
import { useState } from 'react'
import type { DashboardDraft } from '../../api/dashboards.ts'
import { labelOfRange, timePresets } from '../../shell/time-range.ts'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'

const ranges = timePresets.map((value) => ({ value, label: labelOfRange(value, String) }))

type DashboardSettingsProps = {
  draft: DashboardDraft
  onDraft: (change: Pick<DashboardDraft, 'name' | 'description' | 'defaults'>) => void
  onClose: () => void
}

/** Its name, and the period and the filter that it opens with. */
export function DashboardSettings({ draft, onDraft, onClose }: DashboardSettingsProps) {
  const [name, setName] = useState(draft.name)
  const [description, setDescription] = useState(draft.description)
  const [range, setRange] = useState(draft.defaults.range)
  const parsed = parseFilter(draft.defaults.filter ?? '')
  const [filter, setFilter] = useState(parsed.ok ? parsed.result : emptyFilter)
  const [isChecked, setChecked] = useState(false)
  const { question } = useQuestion()
  const loadValues = useFilterValues(question)

  function submit() {
    setChecked(true)
    if (name.trim() === '') return
    const text = printFilter(filter)
    onDraft({
      name: name.trim(),
      description,
      defaults: { range, ...(text === '' ? {} : { filter: text }) },
    })
  }

  return (
    <Dialog
      title="Dashboard settings"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Apply" busy={false} onCancel={onClose} />}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={limits.nameLength}
        fault={isChecked && name.trim() === '' ? 'Enter a name.' : undefined}
        autoComplete="off"
      />
      <TextArea
        label="Description (optional)"
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        maxLength={limits.descriptionLength}
        rows={2}
      />
      <Select
        label="Time range"
        hint="When it is opened without one in the address."
        options={ranges}
        value={range}
        onValue={setRange}
      />
      <div className="grid gap-4">
        <span className="font-medium">Filter (optional)</span>
        <TelemetryFilter
          label="Filter of the dashboard"
          filter={filter}
          onFilter={setFilter}
          loadValues={loadValues}
          inForm
        />
        <p className="text-12 text-text-3">Applies to every telemetry tile, in addition to its own.</p>
      </div>
    </Dialog>
  )
}
