import { Link } from '@tanstack/react-router'
import type { Experiment } from '../../api/experiments.ts'
import { interruptionOf } from '../../features/experiments/interruption.ts'
import type { Column } from '../../ui/table/column.ts'
import { Time } from '../../ui/text/time.tsx'
import { ExperimentState } from './experiment-state.tsx'

export const experimentColumns: readonly Column<Experiment>[] = [
  {
    id: 'name',
    header: 'Experiment',
    cell: ({ id, name, flag }) => (
      <span className="grid min-w-0">
        <Link
          from="/p/$project/experiments"
          to="/p/$project/experiments/$experiment"
          params={{ experiment: id }}
          className="min-w-0 truncate font-medium"
          title={name}
        >
          {name}
        </Link>
        <code className="truncate text-12 text-text-2">{flag}</code>
      </span>
    ),
    width: '34%',
    card: 'title',
    fixed: true,
  },
  {
    id: 'state',
    header: 'State',
    cell: (experiment) => {
      const interruption = interruptionOf(experiment)
      return (
        <span className="grid min-w-0">
          <ExperimentState state={experiment.state} />
          {interruption && <span className="text-pretty text-12 text-warn">{interruption.title}</span>}
        </span>
      )
    },
    card: 'aside',
  },
  {
    id: 'goals',
    header: 'Goals',
    cell: ({ goals }) => (
      <span className="text-text-2 [overflow-wrap:anywhere]">{goals.map(({ name }) => name).join(', ')}</span>
    ),
  },
  {
    id: 'decision',
    header: 'Decision',
    cell: ({ decision }) =>
      decision === null ? (
        <span className="text-text-3">no decision yet</span>
      ) : (
        <span className="text-text-2">
          <span className="wide:hidden">decision: </span>
          {decision.variation === null ? (
            'none'
          ) : (
            <code className="text-text [overflow-wrap:anywhere]">{decision.variation}</code>
          )}
        </span>
      ),
  },
  {
    id: 'started',
    header: 'Started',
    cell: ({ startedAt, startedBy }) => (
      <span className="grid text-text-2">
        <Time at={startedAt} none="not yet" />
        {startedBy !== null && <span className="truncate text-12 text-text-3">{startedBy}</span>}
      </span>
    ),
  },
]
