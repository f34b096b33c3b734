import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DescribedFlag } from '../../api/flags.ts'
import { ownerIdsOf } from '../../features/people/use-owners.ts'
import type { Person } from '../../features/people/use-people.ts'
import { FlagTelltale } from '../../features/telltale/flag-telltale.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { Variation } from '../../ui/variation.tsx'
import { summaryIn } from './environment-states.ts'
import { LifecycleBadge } from './lifecycle-badge.tsx'
import { Serves } from './serves.tsx'

type FlagPeekProps = { flag: DescribedFlag; owners: readonly Person[]; onClose: () => void }

/** The state of a flag in every environment, beside the list. */
export function FlagPeek({ flag, owners, onClose }: FlagPeekProps) {
  const names = ownerIdsOf(flag).map(
    (id) => owners.find((one) => one.id === id)?.name ?? 'Not a member of the project',
  )
  return (
    <Peek
      title={<code>{flag.key}</code>}
      open={
        <Link
          from="/p/$project/flags"
          to="/p/$project/flags/$flag/targeting"
          params={{ flag: flag.key }}
          className={buttonClass('normal', 'small')}
        >
          Open
        </Link>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <div className="grid gap-6">
          <p className="break-words font-medium">{flag.name}</p>
          {flag.description && <p className="text-pretty break-words text-text-2">{flag.description}</p>}
          <span className="flex flex-wrap items-center gap-8">
            <LifecycleBadge lifecycle={flag.lifecycle} />
            {flag.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-16 gap-y-4">
          <Line name="Key">
            <CopyText text={flag.key} label="Copy the key" />
          </Line>
          <Line name="Owner">{names.length === 0 ? 'none' : names.join(', ')}</Line>
          <Line name="Created">
            <TimeAgo at={flag.createdAt} />
          </Line>
        </dl>
        <EnvironmentList flag={flag} />
        <section className="grid gap-8">
          <h3 className="font-strong">Variations</h3>
          {flag.variations.map(({ key, name }, order) => (
            <span key={key} className="flex min-w-0 items-center gap-8">
              <Variation order={order} label={key} isKey />
              {name !== key && <span className="truncate text-text-2">{name}</span>}
            </span>
          ))}
        </section>
      </div>
    </Peek>
  )
}

function EnvironmentList({ flag }: { flag: DescribedFlag }) {
  const { environments } = useScope()
  return (
    <section className="grid gap-8">
      <h3 className="font-strong">Environments</h3>
      {environments.map((one) => (
        <div key={one.key} className="grid gap-4 border-line border-t pt-8">
          <span className="flex min-w-0 items-center gap-8">
            <EnvironmentMark environment={one} />
            <span className="min-w-0 flex-1 truncate font-medium">{one.name}</span>
            <span className="text-12 text-text-3">
              evaluated <TimeAgo at={summaryIn(flag, one.key)?.lastEvaluatedAt} />
            </span>
          </span>
          <Serves flag={flag} env={one.key} />
          <FlagTelltale flag={flag.key} env={one.key} />
        </div>
      ))}
    </section>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  )
}
