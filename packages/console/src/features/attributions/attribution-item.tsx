import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Attribution, affectedUsersAddress } from '../../api/attributions.ts'
import { useMayHere } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Time } from '../../ui/text/time.tsx'
import { FlagLink } from '../flags/flag-link.tsx'
import { affectedText, atLeastText, boundText } from './attribution-words.ts'

type AttributionItemProps = {
  attribution: Attribution
  issue: string
  /** Names the issue, where several are listed. */
  children?: ReactNode
}

/** The variation, the least share of these failures that is owed to it, and who was affected. */
export function AttributionItem({ attribution, issue, children }: AttributionItemProps) {
  const { project, environment } = useScope()
  const mayExport = useMayHere('sensitive.view')
  const { flag, variation, rollout } = attribution
  const link = 'inline-flex min-h-24 items-center text-accent hover:underline'
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      {children}
      <span className="min-w-0 text-pretty [overflow-wrap:anywhere]">
        <span className="font-medium">{atLeastText(attribution)}</span> of these failures come from{' '}
        <FlagLink flag={flag} /> <code className="whitespace-normal">= {variation}</code>
      </span>
      <span className="text-pretty text-12 text-text-2">{affectedText(attribution)}</span>
      <span className="text-pretty text-12 text-text-3">
        {boundText(attribution)} Assigned from <Time at={attribution.from} />
        {attribution.to !== null && (
          <>
            {' '}
            to <Time at={attribution.to} />
          </>
        )}
        .
      </span>
      <span className="flex flex-wrap gap-x-12 text-12">
        {rollout === null ? (
          <Link
            to="/p/$project/flags/$flag/impact"
            params={{ project, flag }}
            search={{ env: environment.key }}
            className={link}
          >
            Impact of {flag}
          </Link>
        ) : (
          <Link to="/p/$project/rollouts/$rollout" params={{ project, rollout }} className={link}>
            Show rollout
          </Link>
        )}
        {mayExport && (
          <a
            href={affectedUsersAddress({ project, env: environment.key, issue }, attribution)}
            download={`affected-by-${flag}-${variation}.csv`}
            className={link}
          >
            Export affected users
          </a>
        )}
      </span>
    </li>
  )
}
