import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { useSettledText } from '../../ui/filter/filter-bar.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type AuditSearch, hasFilter } from './audit-search.ts'

/** The kinds with audit entries: what a project releases, what it watches, its settings, and accounts. */
const kinds = [
  'flag',
  'flag-config',
  'segment',
  'override',
  'identity',
  'change-request',
  'scheduled-change',
  'rollout',
  'rollout-template',
  'experiment',
  'holdout',
  'layer',
  'metric',
  'alert',
  'channel',
  'digest',
  'dashboard',
  'role',
  'saved-view',
  'playlist',
  'share-link',
  'issue',
  'session',
  'replay',
  'deploy',
  'deploy-hook',
  'source-map',
  'code-references',
  'erasure',
  'environment',
  'key',
  'project',
  'member',
  'invitation',
  'token',
  'user',
  'team',
  'sign-in-provider',
  'scim-token',
  'device-login',
  'installation',
  'audit',
  'call',
] as const

type AuditFiltersProps = {
  search: AuditSearch
  onSearch: (change: AuditSearch) => void
  onClear: () => void
  people: readonly { id: string; name: string }[]
  exporting: ReactNode
}

export function AuditFilters({ search, onSearch, onClear, people, exporting }: AuditFiltersProps) {
  const [typed, setTyped] = useSettledText(search.q ?? '', (text) =>
    onSearch({ q: text.trim() || undefined }),
  )
  return (
    <search className="flex flex-wrap items-end gap-8">
      <div className="w-[24ch] max-wide:w-full">
        <Field
          label="Search"
          type="search"
          placeholder="Name, member or action"
          maxLength={128}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <div className="w-[17ch] max-wide:w-[calc(50%-4px)]">
        <Select
          label="Entity"
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
      {search.action !== undefined && (
        <Button icon="close" onClick={() => onSearch({ action: undefined })}>
          Only <code>{search.action}</code>
        </Button>
      )}
      {search.environment !== undefined && (
        <Button icon="close" onClick={() => onSearch({ environment: undefined })}>
          Only in <code>{search.environment}</code>
        </Button>
      )}
      {hasFilter(search) && (
        <Button look="quiet" onClick={onClear}>
          Clear
        </Button>
      )}
      <div className="ml-auto">{exporting}</div>
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
