import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { flagChoicesQuery } from '../../../api/flag-configs.ts'
import type { Fault } from '../../../api/problem.ts'
import type { Owner } from '../../../features/people/use-owners.ts'
import { Radio } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { type FlagForm, faultAt } from './flag-form.ts'
import { OwnersField } from './owners-field.tsx'

type AboutFieldsProps = {
  project: string
  form: FlagForm
  onForm: (change: Partial<FlagForm>) => void
  owners: readonly Owner[]
  faults: readonly Fault[]
  disabled?: boolean
}

const tagLimits = { items: limits.tagsPerFlag, length: limits.tagLength }

/** The owners of a flag and its planned lifetime. */
export function AboutFields({ project, form, onForm, owners, faults, disabled = false }: AboutFieldsProps) {
  const known = useKnownTags(project)

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
      <OwnersField
        chosen={form}
        candidates={owners}
        onOwners={onForm}
        fault={faultAt(faults, '/owners') ?? faultAt(faults, '/ownerTeams')}
        disabled={disabled}
      />
      <Radio
        label="Lifetime"
        choices={[
          {
            value: 'temporary',
            label: 'Temporary',
            hint: 'For a release or an experiment. Ready to remove once all users have had the same value for 30 days.',
            disabled,
          },
          {
            value: 'permanent',
            label: 'Permanent',
            hint: 'For a kill switch, a setting or a plan. Stays in the code.',
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
        label="Available to"
        choices={[
          {
            value: 'all',
            label: 'Browsers and servers',
            hint: 'The public client key can read its key and its value for one identity.',
            disabled,
          },
          { value: 'servers', label: 'Servers only', hint: 'Requires a server key.', disabled },
        ]}
        value={form.clientVisible ? 'all' : 'servers'}
        onValue={(value) => onForm({ clientVisible: value === 'all' })}
      />
    </>
  )
}

/** Tags of other flags, as suggestions. */
function useKnownTags(project: string): readonly string[] {
  const flags = useQuery(flagChoicesQuery({ project, search: '' })).data ?? []
  return [...new Set(flags.flatMap(({ tags }) => tags))].toSorted((a, b) => a.localeCompare(b, 'en'))
}
