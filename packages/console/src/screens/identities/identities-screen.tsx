import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { type IdentityRow, identitiesQuery } from '../../api/identities.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import type { IdentitiesSearch } from './identities-search.ts'
import { identityColumns } from './identity-columns.tsx'
import { IdentityLink } from './identity-link.tsx'
import { TraitFilter } from './trait-filter.tsx'
import { TraitList } from './trait-list.tsx'

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

function IdentityPeek({ identity, onClose }: { identity: IdentityRow; onClose: () => void }) {
  return (
    <Peek
      title="Identity"
      open={
        <IdentityLink targetingKey={identity.targetingKey} className={buttonClass('normal', 'small')}>
          Open with its flags
        </IdentityLink>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <CopyText text={identity.targetingKey} label="Copy the key" />
        <p className="text-text-2">
          Last seen <TimeAgo at={identity.lastSeenAt} />, first seen <TimeAgo at={identity.firstSeenAt} />.
        </p>
        <section className="grid gap-8">
          <h3 className="font-strong">Traits</h3>
          <TraitList traits={identity.traits} masked={identity.masked} />
        </section>
      </div>
    </Peek>
  )
}

/** How identities are created: never by hand. */
function NoIdentities({ environment }: { environment: string }) {
  return (
    <Empty title={`No identities in ${environment} yet`}>
      An identity appears here a few seconds after an application evaluates flags with a{' '}
      <code>targetingKey</code>. Other attributes of the context become its traits. To add an override for an
      identity that has not been seen, enter its key above.
    </Empty>
  )
}

function NoMatch({ text, onClear }: { text: string | undefined; onClear: () => void }) {
  return (
    <Empty
      title={text === undefined ? 'No identities with this trait' : 'No identities with this prefix'}
      action={
        <span className="flex flex-wrap justify-center gap-8">
          <Button onClick={onClear}>Clear the filter</Button>
          {text !== undefined && (
            <IdentityLink targetingKey={text} className={`${buttonClass()} max-w-card`}>
              <span className="truncate">Open {text} anyway</span>
            </IdentityLink>
          )}
        </span>
      }
    >
      {text === undefined
        ? 'Values must match exactly. Case matters.'
        : 'You can open an identity that has not been seen to preview its flags or add an override.'}
    </Empty>
  )
}
