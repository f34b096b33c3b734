import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Chip, type Filter, parseSequence, printChip } from '@telltale/core/query/filter'
import { useState } from 'react'
import { sessionsQuery } from '../../api/sessions.ts'
import { useStandOut } from '../../features/telltale/use-stand-out.ts'
import { BotSwitch } from '../../shell/bot-switch.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy.tsx'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { CompareVariations } from './compare-variations.tsx'
import { FacetsBeside } from './facets-beside.tsx'
import { SequenceBar } from './sequence-bar.tsx'
import { SessionList } from './session-list.tsx'
import { SessionsHead } from './sessions-head.tsx'
import type { SessionsSearch } from './sessions-search.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A session id typed or pasted into the filter: it is opened instead of searched as text. */
function pastedSession(before: Filter, after: Filter): string | undefined {
  if (after.words.length <= before.words.length) return undefined
  const word = after.words.at(-1) ?? ''
  return uuid.test(word) ? word.toLowerCase() : undefined
}

export function SessionsScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/sessions' })
  const navigate = useNavigate({ from: '/p/$project/sessions' })
  const { question, filter, fault, setFilter } = useQuestion()
  const { seq = '', sort = 'newest' } = search
  const requested = { question, sequence: seq }
  // The list reloads immediately; the counts wait until the filter has settled.
  const settled = useSettled(requested, `${question.env} ${question.range} ${question.filter} ${seq}`)
  const isReadable = fault === undefined && (seq === '' || parseSequence(seq).ok)
  const sessions = useInfiniteQuery({ ...sessionsQuery(requested, sort), enabled: isReadable })
  const loadValues = useFilterValues(question)
  const [isOrdering, setOrdering] = useState(false)
  const isComparing = search.view === 'compare'
  const seen = useStandOut(question, isComparing && isReadable && search.flag === undefined)
  const inFilter = chosenFlag(search.flag, filter)
  // A flag in the filter is the same in every session.
  const flag = isComparing ? (search.flag ?? seen.standsOut) : inFilter
  const set = (change: SessionsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })

  function add(next: Filter) {
    const session = pastedSession(filter, next)
    if (session === undefined) return setFilter(next)
    void navigate({ to: '/p/$project/sessions/$session', params: { project, session } })
  }
  const isFiltered = filter.chips.length + filter.words.length > 0 || seq !== '' || fault !== undefined
  const clear = () => set({ q: undefined, seq: undefined })

  return (
    <Screen title="Sessions" scope="environment-and-time">
      <div className="grid min-w-0 gap-8">
        <TelemetryFilter
          label="Add a filter, or paste a session ID or user ID"
          filter={filter}
          onFilter={add}
          fault={fault}
          loadValues={loadValues}
          after={
            <>
              {seq === '' && (
                <Button icon="rollout" look="quiet" onClick={() => setOrdering(true)}>
                  Event sequence
                </Button>
              )}
              <CopyLink />
              <BotSwitch question={question} filter={filter} onFilter={setFilter} />
            </>
          }
        />
        <PersonHint filter={filter} onFilter={setFilter} />
        <SequenceBar
          text={seq}
          onText={(text) => set({ seq: text || undefined })}
          isOpen={isOrdering}
          onOpen={setOrdering}
        />
      </div>
      {isReadable ? (
        <div className="grid min-w-0 items-start gap-16 full:grid-cols-[212px_minmax(0,1fr)] full:gap-20">
          <FacetsBeside requested={settled} filter={filter} onFilter={setFilter} />
          <div className="grid min-w-0 gap-12">
            <SessionsHead requested={settled} search={search} flag={flag} onSearch={set} />
            {isComparing ? (
              <CompareVariations
                requested={settled}
                filter={filter}
                flag={flag}
                isLoading={seen.isLoading && !seen.query.isError}
                onClear={isFiltered ? clear : undefined}
              />
            ) : (
              <SessionList
                requested={requested}
                sessions={sessions}
                search={search}
                flag={flag}
                onSearch={set}
                onClear={isFiltered ? clear : undefined}
              />
            )}
          </div>
        </div>
      ) : (
        <Panel>
          <Empty title="Invalid filter" action={<Button onClick={clear}>Clear the filter</Button>}>
            See the message above.
          </Empty>
        </Panel>
      )}
    </Screen>
  )
}

/** The whole view is in the URL, so that it can be shared. */
function CopyLink() {
  const { status, copy } = useCopy(window.location.href)
  return (
    <Button icon={status === 'Copied' ? 'check' : 'link'} look="quiet" onClick={copy}>
      <span role="status">{status ?? 'Copy link'}</span>
    </Button>
  )
}

/** The flag shown as a column: the selected one, or the one in the filter. */
function chosenFlag(chosen: string | undefined, filter: Filter): string | undefined {
  return chosen ?? filter.chips.find(({ field, isNegated }) => field === 'flag' && !isNegated)?.key
}

type PersonHintProps = { filter: Filter; onFilter: (filter: Filter) => void }

/** Words search in what users saw; a word that may be a targeting key is also offered as a user. */
function PersonHint({ filter, onFilter }: PersonHintProps) {
  const word = filter.words.find((one) => !/\s/.test(one))
  if (word === undefined) return null
  const chip: Chip = { field: 'user', key: '', isNegated: false, operator: 'is', values: [word] }
  return (
    <p className="flex flex-wrap items-center gap-8 text-12 text-text-2">
      Looking for sessions with “{word.slice(0, 60)}” in their pages, actions or errors.
      <Button
        size="small"
        icon="identity"
        title={printChip(chip)}
        onClick={() =>
          onFilter({ chips: [...filter.chips, chip], words: filter.words.filter((one) => one !== word) })
        }
      >
        Search as user ID
      </Button>
    </p>
  )
}
