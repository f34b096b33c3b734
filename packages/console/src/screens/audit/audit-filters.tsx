import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type AuditSearch, hasFilter } from './audit-search.ts'

/** Every entity kind that has audit entries. */
const kinds = [
  'flag',
  'flag-config',
  'segment',
  'override',
  'change-request',
  'scheduled-change',
  'environment',
  'key',
  'project',
  'member',
  'invitation',
  'share-link',
  'playlist',
  'deploy-hook',
  'token',
  'user',
] as const

type AuditFiltersProps = {
  search: AuditSearch
  onSearch: (change: AuditSearch) => void
  onClear: () => void
  people: readonly { id: string; name: string }[]
}

export function AuditFilters({ search, onSearch, onClear, people }: AuditFiltersProps) {
  return (
    <search className="flex flex-wrap items-end gap-8">
      <div className="w-[17ch] max-wide:w-[calc(50%-4px)]">
        <Select
          label="Action"
          options={withChosen(
            kinds.map((kind) => ({ value: kind, label: kind.replace('-', ' ') })),
            search.entity,
          )}
          value={search.entity ?? ''}
          onValue={(entity) => onSearch({ entity: entity || undefined })}
        />
      </div>
      <div className="w-[22ch] max-wide:w-[calc(50%-4px)]">
        <Select
          label="By"
          options={withChosen(
            people.map(({ id, name }) => ({ value: id, label: name })),
            search.actor,
          )}
          value={search.actor ?? ''}
          onValue={(actor) => onSearch({ actor: actor || undefined })}
        />
      </div>
      <Day label="From" value={search.from} onValue={(from) => onSearch({ from })} />
      <Day label="To" value={search.to} onValue={(to) => onSearch({ to })} />
      {search.id !== undefined && (
        <Button icon="close" onClick={() => onSearch({ id: undefined })}>
          Only one {search.entity ?? 'entity'}
        </Button>
      )}
      {hasFilter(search) && (
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      )}
    </search>
  )
}

/** A value from the URL is in the list even if it is unknown. */
function withChosen(options: readonly { value: string; label: string }[], chosen: string | undefined) {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen)
  return [
    { value: '', label: 'Any' },
    ...options,
    ...(isKnown || chosen === undefined ? [] : [{ value: chosen, label: chosen }]),
  ]
}

type DayProps = { label: string; value: string | undefined; onValue: (value: string | undefined) => void }

function Day({ label, value, onValue }: DayProps) {
  return (
    <div className="w-[16ch] max-wide:w-[calc(50%-4px)]">
      <Field
        label={label}
        type="date"
        value={value ?? ''}
        onChange={(event) => onValue(event.currentTarget.value || undefined)}
      />
    </div>
  )
}
