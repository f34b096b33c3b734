import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { Environment } from '../../api/environments.ts'
import type { DescribedFlag } from '../../api/flags.ts'
import { ownerIdsOf } from '../../features/people/use-owners.ts'
import type { Person } from '../../features/people/use-people.ts'
import { FlagTelltale } from '../../features/telltale/flag-telltale.tsx'
import { EnvironmentLetters } from '../../ui/environment-letters.tsx'
import { Switch } from '../../ui/form/choice.tsx'
import type { Column } from '../../ui/table/column.ts'
import { Avatar, Badge, Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { lettersOf, summaryIn } from './environment-states.ts'
import { typeText } from './flag-words.ts'
import { LifecycleBadge } from './lifecycle-badge.tsx'
import { Serves } from './serves.tsx'
import type { Switching } from './use-switching.tsx'

interface Shown {
  environment: Environment
  environments: readonly Environment[]
  owners: readonly Person[]
  /** The rank of a flag by harm, worst first. */
  harmRank: (flag: string) => number | null
}

interface Switches extends Switching {
  /** Why the flag cannot be switched here; undefined if it can. */
  readonly reasonAgainst: (flag: DescribedFlag) => string | undefined
}

/** Outside the columns, which stay the same while a flag is switched. */
export const SwitchesContext = createContext<Switches | undefined>(undefined)

export function flagColumns({
  environment,
  environments,
  owners,
  harmRank,
}: Shown): readonly Column<DescribedFlag>[] {
  const nameOf = (id: string | null) => owners.find((one) => one.id === id)?.name ?? null
  return [
    {
      id: 'key',
      header: 'Flag',
      sortBy: ({ key }) => key,
      cell: (flag) => <FlagCell flag={flag} />,
      width: '22%',
      card: 'title',
      fixed: true,
    },
    {
      id: 'on',
      header: 'On',
      sortBy: (flag) => !(summaryIn(flag, environment.key)?.enabled ?? false),
      cell: (flag) => <FlagSwitch flag={flag} environment={environment} />,
      width: '56px',
      card: 'aside',
    },
    {
      id: 'type',
      header: 'Type',
      sortBy: (flag) => typeText(flag),
      cell: (flag) => <span className="whitespace-nowrap text-text-2">{typeText(flag)}</span>,
      width: '88px',
      hideBelow: 'full',
      card: 'none',
    },
    {
      id: 'environments',
      header: 'Environments',
      cell: (flag) => <EnvironmentLetters environments={lettersOf(flag, environments)} />,
      width: '104px',
    },
    {
      id: 'serves',
      header: `Serves in ${environment.name}`,
      cell: (flag) => <Serves flag={flag} env={environment.key} />,
      width: '140px',
    },
    {
      id: 'harm',
      header: 'Verdict',
      sortBy: ({ key }) => harmRank(key),
      cell: ({ key }) => <FlagTelltale flag={key} env={environment.key} />,
      width: '27%',
      hideBelow: 'full',
    },
    {
      id: 'tags',
      header: 'Tags',
      sortBy: ({ tags }) => tags[0] ?? null,
      cell: ({ tags }) => <Tags tags={tags} />,
      width: '96px',
      hideBelow: 'full',
      card: 'none',
    },
    {
      id: 'owner',
      header: 'Owners',
      sortBy: (flag) => nameOf(ownerIdsOf(flag)[0] ?? null),
      cell: (flag) => <Owners ids={ownerIdsOf(flag)} nameOf={nameOf} />,
      width: '88px',
      hideBelow: 'full',
      card: 'none',
    },
    {
      id: 'evaluated',
      header: 'Evaluated',
      sortBy: (flag) => summaryIn(flag, environment.key)?.lastEvaluatedAt ?? null,
      cell: (flag) => (
        <span className="text-text-2">
          <TimeAgo at={summaryIn(flag, environment.key)?.lastEvaluatedAt} />
        </span>
      ),
      width: '104px',
      card: 'none',
    },
  ]
}

function FlagCell({ flag }: { flag: DescribedFlag }) {
  return (
    <span className="grid min-w-0">
      <span className="flex min-w-0 items-center gap-8">
        <Link
          from="/p/$project/flags"
          to="/p/$project/flags/$flag/targeting"
          params={{ flag: flag.key }}
          className="min-w-0 truncate font-code font-medium text-12"
          title={flag.key}
        >
          {flag.key}
        </Link>
        {flag.managed && <Badge>Managed</Badge>}
        {flag.lifecycle.state !== 'live' && (
          // The key identifies the row: the badge is truncated first.
          <span className="flex min-w-0 shrink-[9] overflow-hidden max-full:hidden">
            <LifecycleBadge lifecycle={flag.lifecycle} />
          </span>
        )}
      </span>
      <span className="truncate text-text-2" title={flag.name}>
        {flag.name}
      </span>
    </span>
  )
}

function FlagSwitch({ flag, environment }: { flag: DescribedFlag; environment: Environment }) {
  const switches = use(SwitchesContext)
  const pending = switches?.pending
  const reason = switches?.reasonAgainst(flag)
  const isOn = summaryIn(flag, environment.key)?.enabled ?? false
  return (
    <span title={reason} className="inline-flex">
      <Switch
        label={`${flag.key} in ${environment.name}`}
        hideLabel
        checked={pending?.key === flag.key ? pending.enabled : isOn}
        onChecked={(enabled) => switches?.turn(flag, enabled)}
        disabled={reason !== undefined}
      />
    </span>
  )
}

const tagLines = 2

/** Limited to the two lines of a row; the rest is in the tooltip. */
function Tags({ tags }: { tags: readonly string[] }) {
  const shown = tags.length > tagLines ? tags.slice(0, tagLines - 1) : tags
  const rest = tags.slice(shown.length)
  return (
    <span className="grid max-w-[120px] justify-items-start">
      {shown.map((tag) => (
        <span key={tag} className="flex min-w-0 max-w-full" title={tag}>
          <Tag>{tag}</Tag>
        </span>
      ))}
      {rest.length > 0 && (
        <span className="text-12 text-text-3" title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

const ownersShown = 2

type OwnersProps = { ids: readonly string[]; nameOf: (id: string) => string | null }

function Owners({ ids, nameOf }: OwnersProps) {
  const others = ids.slice(ownersShown).map((id) => nameOf(id) ?? id)
  return (
    <span className="flex items-center gap-2">
      {ids.length === 0 && <Owner id={null} name={null} />}
      {ids.slice(0, ownersShown).map((id) => (
        <Owner key={id} id={id} name={nameOf(id)} />
      ))}
      {others.length > 0 && (
        <span className="text-12 text-text-3" title={others.join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}

function Owner({ id, name }: { id: string | null; name: string | null }) {
  if (id === null) return <span className="text-text-3">none</span>
  return (
    <span title={name ?? 'Not a member of the project'} className="inline-flex">
      <Avatar name={name ?? '?'} />
      <span className="sr-only">{name ?? 'Not a member of the project'}</span>
    </span>
  )
}
