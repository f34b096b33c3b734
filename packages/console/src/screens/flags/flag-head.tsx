import type { DescribedFlag } from '../../api/flags.ts'
import { ownerIdsOf, useOwners } from '../../features/people/use-owners.ts'
import { FlagTelltale } from '../../features/telltale/flag-telltale.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { CopyText } from '../../ui/copy.tsx'
import { EnvironmentLetters } from '../../ui/environment-letters.tsx'
import { Avatar, Badge, Tag } from '../../ui/tag.tsx'
import { lettersOf } from './environment-states.ts'
import { LifecycleBadge } from './lifecycle-badge.tsx'

/** The others are in the settings, which keeps the head compact. */
const tagsShown = 3
const ownersShown = 2

/** The head above every tab of a flag. */
export function FlagHead({ flag }: { flag: DescribedFlag }) {
  const { project, environments } = useScope()
  const owners = useOwners(project).filter(({ id }) => ownerIdsOf(flag).includes(id))

  return (
    <div className="flex flex-wrap items-center gap-x-16 gap-y-6 pt-10 pb-4">
      <span className="inline-flex min-w-0 max-w-full text-17 [&_code]:font-strong">
        <CopyText text={flag.key} label="Copy the key" />
      </span>
      <span className="min-w-0 max-w-full truncate text-text-2" title={flag.name}>
        {flag.name}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-8">
        {flag.managed && <Badge>Managed</Badge>}
        <LifecycleBadge lifecycle={flag.lifecycle} />
        {flag.tags.slice(0, tagsShown).map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        {flag.tags.length > tagsShown && (
          <span className="text-12 text-text-3" title={flag.tags.slice(tagsShown).join(', ')}>
            +{flag.tags.length - tagsShown}
          </span>
        )}
      </span>
      {owners.slice(0, ownersShown).map(({ id, name }) => (
        <span key={id} className="inline-flex min-w-0 items-center gap-6 text-text-2" title="Owner">
          <Avatar name={name} />
          <span className="truncate">{name}</span>
        </span>
      ))}
      {owners.length > ownersShown && (
        <span
          className="text-12 text-text-3"
          title={owners
            .slice(ownersShown)
            .map(({ name }) => name)
            .join(', ')}
        >
          +{owners.length - ownersShown}
        </span>
      )}
      <span className="ml-auto flex items-center gap-16 max-wide:ml-0">
        <EnvironmentLetters environments={lettersOf(flag, environments)} />
        <FlagTelltale flag={flag.key} />
      </span>
    </div>
  )
}
