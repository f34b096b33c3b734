import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { identitiesQuery } from '../../api/identities.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { IdentitiesSearch } from './identities-search.ts'
import { identityColumns } from './identity-columns.tsx'
import { IdentityPeek } from './identity-peek.tsx'
import { NoIdentities, NoMatch } from './no-identities.tsx'
import { TraitFilter } from './trait-filter.tsx'

export function IdentitiesScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/identities' })
  const navigate = useNavigate({ from: '/p/$project/identities' })
  const set = (change: IdentitiesSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const trait =
    search.trait === undefined || search.value === undefined
      ? undefined
      : { name: search.trait, value: search.value }
  const text = search.q?.slice(0, limits.targetingKeyLength)
  const identities = useInfiniteQuery(
    identitiesQuery({ project, env: environment.key }, { search: text, trait }),
  )
  const rows = identities.data?.pages.flatMap(({ items }) => items) ?? []
  const peeked = rows.find(({ targetingKey }) => targetingKey === search.peek)
  const isFiltered = text !== undefined || trait !== undefined

  return (
    <Screen title="Identities">
      <FilterBar
        label="Search by key prefix"
        text={search.q ?? ''}
        onText={(q) => set({ q: q || undefined })}
        note={
          rows.length > 0 && (identities.hasNextPage ? `the first ${rows.length}` : `${rows.length} in all`)
        }
      >
        <TraitFilter
          trait={trait}
          onTrait={(next) => set({ trait: next?.name, value: next?.value })}
          known={[...new Set(rows.flatMap(({ traits }) => Object.keys(traits)))].sort()}
        />
      </FilterBar>
      <Async
        of={identities}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Panel>
            {isFiltered ? (
              <NoMatch
                text={text}
                onClear={() => set({ q: undefined, trait: undefined, value: undefined })}
              />
            ) : (
              <NoIdentities environment={environment.name} />
            )}
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Identities"
            rows={rows}
            rowId={({ targetingKey }) => targetingKey}
            columns={identityColumns}
            sorted
            onOpen={({ targetingKey }) =>
              void navigate({
                to: '/p/$project/identities/$identity',
                params: { project, identity: targetingKey },
                search: {},
              })
            }
            onPeek={({ targetingKey }) =>
              set({ peek: targetingKey === search.peek ? undefined : targetingKey }, true)
            }
            peeked={search.peek}
            more={identities}
          />
        )}
      </Async>
      {peeked && <IdentityPeek identity={peeked} onClose={() => set({ peek: undefined }, true)} />}
    </Screen>
  )
}
