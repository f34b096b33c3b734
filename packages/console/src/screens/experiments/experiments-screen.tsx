import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { experimentStates } from '@telltale/core/states/experiment'
import { type ReactNode, useState } from 'react'
import { type Experiment, experimentsQuery } from '../../api/experiments.ts'
import { ChooseFlag } from '../../features/rollout/choose-flag.tsx'
import { useMayHere } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { DocsLink } from '../../ui/docs-link.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { experimentColumns } from './experiment-columns.tsx'
import { ExperimentDialog } from './experiment-dialog.tsx'
import { ExperimentTabs } from './experiment-tabs.tsx'
import { stateWords } from './experiment-words.ts'
import type { ExperimentsSearch } from './experiments-search.ts'

/** Experiments of an environment: drafted, running and ended. */
export function ExperimentsScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/experiments' })
  const navigate = useNavigate({ from: '/p/$project/experiments' })
  const { state, flag } = search
  const found = useQuery(
    experimentsQuery(project, {
      env: environment.key,
      ...(state !== undefined && { state }),
      ...(flag !== undefined && { flag }),
    }),
  )
  const mayChange = useMayHere('flags.change')
  const set = (change: ExperimentsSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })
  const newButton = useNewButton({
    label: 'New experiment',
    mayCreate: mayChange,
    missing: 'editors start experiments',
    create: () => set({ new: true }),
  })
  const open = (experiment: string) =>
    void navigate({ to: '/p/$project/experiments/$experiment', params: { project, experiment } })
  const isFiltered = state !== undefined || flag !== undefined

  return (
    <Screen title="Experiments" actions={newButton} tabs={<ExperimentTabs />}>
      <div className="flex flex-wrap items-center gap-12">
        <Segmented
          label="Shown"
          choices={[
            { value: 'all', label: 'All' },
            ...experimentStates.map((value) => ({ value, label: stateWords[value] })),
          ]}
          value={state ?? 'all'}
          onValue={(next) => set({ state: experimentStates.find((one) => one === next) })}
        />
        {flag !== undefined && (
          <button
            type="button"
            className={buttonClass('quiet', 'small')}
            onClick={() => set({ flag: undefined })}
          >
            of {flag} only: show all
          </button>
        )}
      </div>
      <Async
        of={found}
        isEmpty={(items) => items.length === 0}
        empty={isFiltered ? <NoMatch /> : <NoExperiments action={newButton} />}
      >
        {(items) => (
          <DataTable<Experiment>
            label="Experiments"
            rows={items}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            columns={experimentColumns}
            sorted
            onOpen={({ id }) => open(id)}
          />
        )}
      </Async>
      {search.new && mayChange && (
        <NewExperiment flag={flag} onCreated={open} onClose={() => set({ new: undefined })} />
      )}
    </Screen>
  )
}

interface NewExperimentProps {
  flag: string | undefined
  onCreated: (experiment: string) => void
  onClose: () => void
}

function NewExperiment({ flag, onCreated, onClose }: NewExperimentProps) {
  const { project, environment } = useScope()
  const [chosen, setChosen] = useState(flag)
  if (chosen === undefined)
    return <ChooseFlag project={project} title="New experiment" onFlag={setChosen} onClose={onClose} />
  return (
    <ExperimentDialog
      place={{ project, env: environment.key, flag: chosen }}
      onDone={({ id }) => onCreated(id)}
      onClose={onClose}
    />
  )
}

function NoMatch() {
  const { project } = useScope()
  return (
    <Empty
      title="No matching experiments"
      action={
        <Link to="/p/$project/experiments" params={{ project }} search={{}} className={buttonClass()}>
          Show all
        </Link>
      }
    >
      No experiment in this environment matches the filter above.
    </Empty>
  )
}

function NoExperiments({ action }: { action: ReactNode }) {
  return (
    <Empty title="No experiments yet" action={action}>
      An experiment compares the variations of a split by goals that you fix at the start: revenue,
      conversions, or any metric. <DocsLink page="guides/experiments">Read the guide</DocsLink>.
    </Empty>
  )
}
