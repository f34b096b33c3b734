import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { type RolloutFilter, type RolloutRow, rolloutsQuery } from '../../api/rollouts.ts'
import { ChooseFlag } from '../../features/rollout/choose-flag.tsx'
import { PlanRollout } from '../../features/rollout/plan-rollout.tsx'
import { useMayHere } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { DocsLink } from '../../ui/docs-link.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { rolloutColumns } from './rollout-columns.tsx'
import { type RolloutsSearch, type RolloutView, rolloutViews } from './rollouts-search.ts'

const names: Record<RolloutView, string> = { running: 'Running', ended: 'Ended', drafts: 'Drafts' }
const states = { running: 'running-any', ended: 'ended', drafts: 'draft' } as const

/** Guarded rollouts of an environment, running and past. */
export function RolloutsScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/rollouts' })
  const navigate = useNavigate({ from: '/p/$project/rollouts' })
  const filter: RolloutFilter = {
    env: environment.key,
    ...(search.view === undefined ? {} : { state: states[search.view] }),
    ...(search.flag === undefined ? {} : { flag: search.flag }),
  }
  const rollouts = useInfiniteQuery(rolloutsQuery(project, filter))
  const rows = useMemo(() => (rollouts.data?.pages ?? []).flatMap(({ items }) => items), [rollouts.data])
  const mayChange = useMayHere('flags.change')
  const set = (change: RolloutsSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const create = () => set({ new: true })
  const newButton = useNewButton({
    label: 'New rollout',
    mayCreate: mayChange,
    missing: 'editors start rollouts',
    create,
  })

  const isFiltered = search.view !== undefined || search.flag !== undefined

  return (
    <Screen title="Rollouts" actions={newButton}>
      <div className="flex flex-wrap items-center gap-12">
        <Segmented
          label="Shown"
          choices={[
            { value: 'all', label: 'All' },
            ...rolloutViews.map((value) => ({ value, label: names[value] })),
          ]}
          value={search.view ?? 'all'}
          onValue={(next) =>
            void navigate({
              search: (now) => ({ ...now, view: rolloutViews.find((one) => one === next) }),
            })
          }
        />
        {search.flag !== undefined && (
          <button
            type="button"
            className={buttonClass('quiet', 'small')}
            onClick={() => void navigate({ search: (now) => ({ ...now, flag: undefined }) })}
          >
            of {search.flag} only: show all
          </button>
        )}
      </div>
      <Async
        of={rollouts}
        isEmpty={() => rows.length === 0}
        empty={isFiltered ? <NoMatch /> : <NoRollouts action={newButton} />}
      >
        {() => (
          <DataTable<RolloutRow>
            label="Rollouts"
            rows={rows}
            rowId={idOf}
            rowName={({ flag }) => flag}
            columns={rolloutColumns}
            sorted
            onOpen={({ id }) =>
              void navigate({ to: '/p/$project/rollouts/$rollout', params: { project, rollout: id } })
            }
            more={rollouts}
          />
        )}
      </Async>
      {search.new && mayChange && <NewRollout flag={search.flag} onClose={() => set({ new: undefined })} />}
    </Screen>
  )
}

const idOf = ({ id }: RolloutRow) => id

function NoMatch() {
  const { project } = useScope()
  return (
    <Empty
      title="No matching rollouts"
      action={
        <Link to="/p/$project/rollouts" params={{ project }} search={{}} className={buttonClass()}>
          Show all
        </Link>
      }
    >
      No rollout in this environment matches the filter above.
    </Empty>
  )
}

/** Of a flag, in the environment of the screen. */
function NewRollout({ flag, onClose }: { flag: string | undefined; onClose: () => void }) {
  const { project, environment } = useScope()
  const [chosen, setChosen] = useState(flag)
  if (chosen === undefined)
    return (
      <ChooseFlag project={project} title="Start a guarded rollout" onFlag={setChosen} onClose={onClose} />
    )
  return (
    <PlanRollout
      at={{ project, env: environment.key, flag: chosen }}
      environment={environment}
      onClose={onClose}
    />
  )
}

function NoRollouts({ action }: { action: ReactNode }) {
  return (
    <Empty title="No rollouts yet" action={action}>
      A guarded rollout releases a variation in stages and rolls back automatically if it exceeds the limits
      you set. <DocsLink page="guides/first-rollout">Read the guide</DocsLink>.
    </Empty>
  )
}
