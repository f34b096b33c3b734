import { Link } from '@tanstack/react-router'
import type { RolloutRow } from '../../api/rollouts.ts'
import { RolloutState } from '../../features/rollout/rollout-state.tsx'
import { percent } from '../../features/rollout/rollout-words.ts'
import { TelltaleView } from '../../features/telltale/flag-telltale.tsx'
import type { Column } from '../../ui/table/column.ts'
import { fullCountText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { telltaleOfRollout } from './rollout-summary.ts'

export const rolloutColumns: readonly Column<RolloutRow>[] = [
  {
    id: 'flag',
    header: 'Flag',
    cell: (rollout) => (
      <span className="grid min-w-0">
        <Link
          from="/p/$project/rollouts"
          to="/p/$project/rollouts/$rollout"
          params={{ rollout: rollout.id }}
          className="min-w-0 truncate font-code font-medium text-12"
          title={rollout.flag}
        >
          {rollout.flag}
        </Link>
        <span className="truncate text-text-2">
          <code>{rollout.treatment}</code> vs <code>{rollout.control}</code>
        </span>
      </span>
    ),
    width: '24%',
    card: 'title',
    fixed: true,
  },
  { id: 'state', header: 'State', cell: ({ state }) => <RolloutState state={state} />, card: 'aside' },
  {
    id: 'stage',
    header: 'Stage',
    cell: ({ stage, stages, weight, startedAt }) => (
      <span className="whitespace-nowrap">
        {startedAt === null ? '–' : `${stage + 1} of ${stages.length}`}{' '}
        <span className="text-text-3">{percent(weight)}</span>
      </span>
    ),
  },
  {
    id: 'guard',
    header: 'Guard',
    cell: (rollout) => <TelltaleView telltale={telltaleOfRollout(rollout)} look="line" />,
    width: '27%',
  },
  {
    id: 'users',
    header: 'Users',
    align: 'end',
    cell: ({ seen }) =>
      seen === null ? (
        <span className="text-text-3">–</span>
      ) : (
        <span className="whitespace-nowrap text-text-2">
          {fullCountText(seen.units.treatment)} and {fullCountText(seen.units.control)}
        </span>
      ),
    hideBelow: 'full',
  },
  {
    id: 'by',
    header: 'Started',
    cell: ({ startedAt, startedBy }) => (
      <span className="grid text-text-2">
        <Time at={startedAt} none="not yet" />
        {startedBy && <span className="truncate text-12 text-text-3">{startedBy.name}</span>}
      </span>
    ),
  },
]
