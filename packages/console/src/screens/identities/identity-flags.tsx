import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ExplainedFlag, type Identity, identityFlagsQuery } from '../../api/identities.ts'
import { useScope } from '../../shell/scope-context.ts'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badge } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { whyText } from '../../ui/trace/trace-words.ts'
import { FlagPeek } from './flag-peek.tsx'
import type { IdentitySearch } from './identities-search.ts'
import { traitText } from './trait-text.ts'

type IdentityFlagsProps = {
  identity: Identity
  search: IdentitySearch
  onSearch: (change: IdentitySearch, replace?: boolean) => void
}

/** Every flag with its value and reason, from the server's evaluator. */
export function IdentityFlags({ identity, search, onSearch }: IdentityFlagsProps) {
  const { project, environment } = useScope()
  const flags = useQuery(identityFlagsQuery({ project, env: environment.key }, identity.targetingKey))
  const wanted = (search.q ?? '').trim().toLowerCase()
  const items = flags.data?.items ?? []
  const shown = items.filter(({ flag }) => flag.includes(wanted))
  const peeked = items.find(({ flag }) => flag === search.flag)

  return (
    <div className="grid min-w-0 content-start gap-12">
      <FilterBar
        label="Filter flags by key"
        text={search.q ?? ''}
        onText={(q) => onSearch({ q: q || undefined })}
        note={flags.data && `${shown.length} of ${items.length}`}
      />
      <Async of={flags} empty={<NoFlags />}>
        {({ traitsSeenAt, masked }) =>
          shown.length === 0 ? (
            <Panel>
              <Empty title="No matching flags" />
            </Panel>
          ) : (
            <DataTable
              label="Flags of the identity"
              rows={shown}
              rowId={({ flag }) => flag}
              columns={flagColumns}
              sorted
              tall={false}
              onOpen={({ flag }) => onSearch({ flag }, true)}
              onPeek={({ flag }) => onSearch({ flag: flag === search.flag ? undefined : flag }, true)}
              peeked={search.flag}
              footer={
                traitsSeenAt === null ? (
                  'Based on the key only: no traits known.'
                ) : (
                  <>
                    Based on the traits of <TimeAgo at={traitsSeenAt} />
                    {masked.length > 0 &&
                      `, without sensitive ones your role can't see (${masked.join(', ')})`}
                    . Evaluations in the application use the context of the request.
                  </>
                )
              }
            />
          )
        }
      </Async>
      {peeked && (
        <FlagPeek
          explained={peeked}
          identity={identity}
          onOverride={() => onSearch({ override: peeked.flag })}
          onClose={() => onSearch({ flag: undefined }, true)}
        />
      )}
    </div>
  )
}

function NoFlags() {
  return (
    <Panel>
      <Empty title="No flags yet">Flags of the project appear here with their value and the reason.</Empty>
    </Panel>
  )
}

const flagColumns: readonly Column<ExplainedFlag>[] = [
  {
    id: 'flag',
    header: 'Flag',
    width: '34%',
    card: 'title',
    fixed: true,
    cell: ({ flag }) => (
      <span className="flex min-w-0 max-w-[40ch]">
        <Link
          from="/p/$project/identities/$identity"
          to="."
          search={(now) => ({ ...now, flag })}
          replace
          resetScroll={false}
          className="truncate font-code font-medium text-12"
        >
          {flag}
        </Link>
      </span>
    ),
  },
  {
    id: 'value',
    header: 'Value',
    width: '26%',
    card: 'line',
    cell: (item) => (
      <span className="flex min-w-0 max-w-[32ch] items-baseline gap-8">
        <code className="truncate">{item.errorCode ? '–' : traitText(item.value)}</code>
        {item.variation !== null && item.variation !== traitText(item.value) && (
          <span className="truncate text-12 text-text-3">{item.variation}</span>
        )}
      </span>
    ),
  },
  {
    id: 'why',
    header: 'Reason',
    cell: (item) => <Why item={item} />,
  },
]

function Why({ item }: { item: ExplainedFlag }) {
  if (item.overridden) return <Badge tone="accent">Override</Badge>
  if (item.errorCode) return <Badge tone="bad">{item.errorCode}</Badge>
  return <span className="break-words py-2 text-text-2">{whyText(item.trace)}</span>
}
