import { limits } from '@telltale/core/limits'
import type { Fault } from '../../../api/problem.ts'
import type { Person } from '../../../features/people/use-people.ts'
import { Radio } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { type FlagForm, faultAt } from './flag-form.ts'
import { useKnownTags } from './use-known-tags.ts'

type AboutFieldsProps = {
  project: string
  form: FlagForm
  onForm: (change: Partial<FlagForm>) => void
  owners: readonly Person[]
  faults: readonly Fault[]
  disabled?: boolean
}

const tagLimits = { items: limits.tagsPerFlag, length: limits.tagLength }

/** Who answers for a flag and how long it is meant to live. */
export function AboutFields({ project, form, onForm, owners, faults, disabled = false }: AboutFieldsProps) {
  const known = useKnownTags(project)
  const isKnown = form.owner === null || owners.some(({ id }) => id === form.owner)

  return (
    <>
      <TagsInput
        label="Tags (optional)"
        values={form.tags}
        onValues={(tags) => onForm({ tags })}
        suggestions={known}
        limits={tagLimits}
        fault={faultAt(faults, '/tags')}
        disabled={disabled}
      />
      <Select
        label="Owner"
        hint="Whom to ask about it."
        options={[
          { value: '', label: 'Nobody' },
          ...(isKnown ? [] : [{ value: form.owner ?? '', label: 'No member of the project' }]),
          ...owners.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={form.owner ?? ''}
        onValue={(owner) => onForm({ owner: owner === '' ? null : owner })}
        fault={faultAt(faults, '/owner')}
        disabled={disabled}
      />
      <Radio
        label="How long it lives"
        choices={[
          {
            value: 'temporary',
            label: 'Temporary',
            hint: 'A release or an experiment. Called ready to remove once it does the same for everyone for 30 days.',
            disabled,
          },
          {
            value: 'permanent',
            label: 'Permanent',
            hint: 'A kill switch, a setting, a plan: it stays.',
            disabled,
          },
        ]}
        value={form.permanent ? 'permanent' : 'temporary'}
        onValue={(value) => onForm({ permanent: value === 'permanent' })}
      />
      {!form.permanent && (
        <div className="w-menu max-w-full">
          <Field
            label="Remove by (optional)"
            type="date"
            value={form.removeBy}
            onChange={(event) => onForm({ removeBy: event.currentTarget.value })}
            fault={faultAt(faults, '/removeBy')}
            disabled={disabled}
          />
        </div>
      )}
      <Radio
        label="Who may evaluate it"
        choices={[
          {
            value: 'all',
            label: 'Browsers and servers',
            hint: 'Its key and the value for one identity can be read with the public client key.',
            disabled,
          },
          { value: 'servers', label: 'Servers only', hint: 'Needs a server key.', disabled },
        ]}
        value={form.clientVisible ? 'all' : 'servers'}
        onValue={(value) => onForm({ clientVisible: value === 'all' })}
      />
    </>
  )
}
