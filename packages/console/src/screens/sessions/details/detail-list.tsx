import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../../shell/scope-context.ts'
import { SearchField } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import type { SessionSearch } from '../sessions-search.ts'
import { MomentList } from '../timeline/moment-list.tsx'
import type { Playhead } from '../timeline/playhead-place.ts'
import { type DetailEntry, findEntries } from './detail-entries.ts'
import { HarButton } from './har-button.tsx'
import type { DetailsState } from './use-details.ts'

type DetailListProps = {
  of: 'console' | 'network'
  session: string
  entries: readonly DetailEntry[]
  /** Undefined: the session has no recording. */
  details: DetailsState | undefined
  noteOf: (entry: DetailEntry) => string
  playhead: Playhead
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
  onChoose: (entry: DetailEntry) => void
}

const levels = [
  { value: '', label: 'All levels' },
  { value: 'info', label: 'Info and above' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors' },
] as const
const requests = [
  { value: '', label: 'All' },
  { value: 'data', label: 'Fetch and XHR' },
  { value: 'failed', label: 'Failed' },
  { value: 'details', label: 'With details' },
] as const

/** Console messages or requests of a session, with a filter. */
export function DetailList(props: DetailListProps) {
  const { of, session, entries, details, noteOf, playhead, search, onSearch, onChoose } = props
  const isConsole = of === 'console'
  const shown = findEntries(entries, {
    find: search.find,
    ...(isConsole ? { level: search.level } : { requests: search.requests }),
  })
  const none = isConsole ? 'No errors.' : 'No requests.'
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,118px)_auto] items-center gap-8 border-line border-b px-14 py-6">
        <SearchField
          label={isConsole ? 'Filter messages' : 'Filter requests'}
          value={search.find ?? ''}
          onChange={(event) => onSearch({ find: event.currentTarget.value || undefined })}
        />
        {isConsole ? (
          <Select
            label="Level"
            hideLabel
            options={levels}
            value={search.level ?? ''}
            onValue={(level) => onSearch({ level: level || undefined })}
          />
        ) : (
          <Select
            label="Show"
            hideLabel
            options={requests}
            value={search.requests ?? ''}
            onValue={(value) => onSearch({ requests: value || undefined })}
          />
        )}
        {!isConsole && <HarButton session={session} />}
      </div>
      {details && <DetailsNote of={of} details={details} />}
      <MomentList
        label={isConsole ? 'Console, oldest first' : 'Requests and resources, oldest first'}
        moments={shown}
        noteOf={noteOf}
        none={entries.length === 0 ? none : 'Nothing matches the filter.'}
        playhead={playhead}
        onChoose={onChoose}
      />
    </>
  )
}

/** Why there are no recorded details, if there are none. */
function DetailsNote({ of, details }: { of: 'console' | 'network'; details: DetailsState }) {
  const { environment } = useScope()
  const { data, error, refetch } = details
  if (error && !data) return <Trouble error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={1} label="Loading recorded details" />
  const isConsole = of === 'console'
  const isThere = data.some(({ message, request }) => (isConsole ? message : request) !== null)
  if (isThere) return null
  const isAllowed = isConsole ? environment.consoleRecorded : environment.requestRules.length > 0
  if (isAllowed)
    return (
      <Note>
        {isConsole ? 'This replay has no console messages.' : 'This replay has no headers or bodies.'}
      </Note>
    )
  return (
    <Note>
      {isConsole ? 'Console messages are' : 'Headers and bodies are'} not recorded: {environment.name} does
      not allow it.{' '}
      <Link
        to="/p/$project/settings/environments/$environment"
        from="/p/$project"
        params={{ environment: environment.key }}
        className="underline"
      >
        Settings
      </Link>
    </Note>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="border-line border-b px-14 py-8 text-pretty text-12 text-text-2">{children}</p>
)
