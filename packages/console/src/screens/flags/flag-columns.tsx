import { Link } from '@tanstack/react-router'
import type { Environment } from '../../api/environments.ts'
import type { FlagRow } from '../../api/flags.ts'
import { type EnvironmentLetter, EnvironmentLetters } from '../../ui/environment-letters.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Badge, Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { Variation } from '../../ui/variation.tsx'
import { lifecycleWords } from './flags-search.ts'

const tagsShown = 3

/** The columns of the list; what a flag serves is that of one environment. */
export function flagColumns(environments: readonly Environment[], env: string): Column<FlagRow>[] {
  return [
    {
      id: 'key',
      header: 'Flag',
      cell: (flag) => <FlagCell flag={flag} />,
      width: '38%',
      card: 'title',
      fixed: true,
    },
    { id: 'serves', header: 'Serves', cell: (flag) => <Serves flag={flag} env={env} /> },
    {
      id: 'environments',
      header: 'Environments',
      cell: (flag) => <EnvironmentLetters environments={lettersOf(flag, environments)} />,
      card: 'aside',
    },
    {
      id: 'lifecycle',
      header: 'Lifecycle',
      cell: ({ lifecycle }) => <Badge>{lifecycleWords[lifecycle.state]}</Badge>,
      hideBelow: 'full',
    },
    {
      id: 'evaluated',
      header: 'Last evaluated',
      cell: (flag) => (
        <span className="text-text-2">
          <TimeAgo at={summaryOf(flag, env)?.lastEvaluatedAt ?? null} />
        </span>
      ),
      hideBelow: 'full',
      card: 'none',
    },
  ]
}

function summaryOf({ environments }: FlagRow, env: string) {
  return environments.find((summary) => summary.env === env)
}

function FlagCell({ flag }: { flag: FlagRow }) {
  return (
    <span className="grid min-w-0">
      <span className="flex min-w-0 items-center gap-8">
        <Link
          from="/p/$project/flags"
          to="/p/$project/flags/$flag/$tab"
          params={{ flag: flag.key, tab: 'targeting' }}
          className="truncate font-code font-medium text-12"
        >
          {flag.key}
        </Link>
        {flag.managed && <Badge>Managed</Badge>}
        <span className="flex min-w-0 gap-4 max-full:hidden">
          {flag.tags.slice(0, tagsShown).map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
          {flag.tags.length > tagsShown && (
            <span className="text-11 text-text-3">+{flag.tags.length - tagsShown}</span>
          )}
        </span>
      </span>
      <span className="truncate text-text-2" title={flag.name}>
        {flag.name}
      </span>
    </span>
  )
}

function Serves({ flag, env }: { flag: FlagRow; env: string }) {
  const summary = summaryOf(flag, env)
  if (!summary) return <span className="text-text-3">nothing yet</span>
  const [first, ...others] = summary.serves
  const order = flag.variations.findIndex(({ key }) => key === first?.variation)
  return (
    <span className="flex min-w-0 items-center gap-6">
      <span className="text-text-2">{summary.enabled ? 'On' : 'Off'}</span>
      {others.length > 0 ? (
        <span className="text-text-2">split between {summary.serves.length}</span>
      ) : (
        first && <Variation order={Math.max(0, order)} label={first.variation} isKey />
      )}
      {summary.enabled && summary.rules > 0 && (
        <span className="whitespace-nowrap text-text-2">
          {summary.rules === 1 ? '1 rule' : `${summary.rules} rules`}
        </span>
      )}
    </span>
  )
}

function lettersOf(flag: FlagRow, environments: readonly Environment[]): EnvironmentLetter[] {
  return environments.map(({ key, name }) => {
    const summary = summaryOf(flag, key)
    const isForAll = summary?.enabled && summary.rules === 0 && summary.serves.length < 2
    return { key, name, state: summary?.enabled ? (isForAll ? 'on' : 'some') : 'off' }
  })
}
