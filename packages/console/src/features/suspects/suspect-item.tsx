import { Link } from '@tanstack/react-router'
import type { Chip } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { RatioInterval } from '../../charts/ratio-interval.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { countOf, fullCountText } from '../../ui/text/measure-text.ts'
import { FlagLink } from '../flags/flag-link.tsx'
import { usePlanRights } from '../rollout/plan/use-plan-rights.ts'
import { PlanRollout } from '../rollout/plan-rollout.tsx'
import { joinedFilter } from './joined-filter.ts'
import { nameOf, ratioText, type Suspect, settleText } from './suspect-words.ts'
import type { Suspected } from './suspects-panel.tsx'
import { betweenText, oftenText } from './times-words.ts'

type SuspectItemProps = { suspect: Suspect; scale: { from: number; to: number }; suspected: Suspected }

/** The users exposed to it, how much more often they are affected, and how to verify that it is the cause. */
export function SuspectItem({ suspect, scale, suspected }: SuspectItemProps) {
  const { reads, people, hits, times, byChance } = suspect
  const often = oftenText(times)
  const between = betweenText(times)
  return (
    <li className="grid min-w-0 gap-4">
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-12">
        <span className="font-medium">{often}</span>
        <RatioInterval {...times} scale={scale} label={between ? `${often}, ${between}` : often} />
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {reads.map(({ flag, variation }, index) => (
          <span key={flag}>
            {index > 0 && ' and '}
            <FlagLink flag={flag} /> <code className="whitespace-normal">= {variation}</code>
          </span>
        ))}
        {reads.length > 1 && ', only in combination'}
      </span>
      <span className="text-pretty text-12 text-text-2">
        {between && `${between}: `}
        <SessionsLink suspect={suspect} suspected={suspected}>
          {fullCountText(hits.inside)} of {countOf(people.inside, 'user')}
        </SessionsLink>
        , otherwise {fullCountText(hits.outside)} of {fullCountText(people.outside)}. {ratioText(suspect)}.
      </span>
      <span className="text-pretty text-12 text-text-3">{settleText(suspect)}</span>
      {byChance ? <ImpactLinks suspect={suspect} /> : <PlanCheck suspect={suspect} suspected={suspected} />}
    </li>
  )
}

type SessionsLinkProps = Pick<SuspectItemProps, 'suspect' | 'suspected'> & { children: ReactNode }

/** Affected users with the variation. */
function SessionsLink({ suspect, suspected, children }: SessionsLinkProps) {
  const { project } = useScope()
  const read = suspect.reads.map(
    ({ flag, variation }): Chip => ({
      field: 'flag',
      key: flag,
      operator: 'is',
      values: [variation],
      isNegated: false,
    }),
  )
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={({ env, t }) => ({ env, t, q: joinedFilter(suspected.filter, [...suspected.of, ...read]) })}
      className="underline hover:text-text"
    >
      {children}
    </Link>
  )
}

function ImpactLinks({ suspect }: { suspect: Suspect }) {
  const { project, environment } = useScope()
  return (
    <span className="flex flex-wrap gap-x-12 text-12">
      {suspect.reads.map(({ flag }) => (
        <Link
          key={flag}
          to="/p/$project/flags/$flag/impact"
          params={{ project, flag }}
          search={{ env: environment.key }}
          className="inline-flex min-h-24 items-center text-accent hover:underline"
        >
          Impact of {flag}
        </Link>
      ))}
    </span>
  )
}

/** Opens the plan of a split that would verify it, for members who may start one here. */
function PlanCheck({ suspect, suspected }: { suspect: Suspect; suspected: Suspected }) {
  const { project, environment } = useScope()
  const against = usePlanRights(environment, false)
  const [isOpen, setOpen] = useState(false)
  const [first] = suspect.reads.filter(({ byChance }) => !byChance)
  if (against !== undefined || first === undefined || suspect.settle === null) return null
  const reason = `More users with ${nameOf(suspect)} have ${suspected.words}. Giving half of them another variation shows whether it is the cause.`
  return (
    <span>
      <Button size="small" icon="rollout" onClick={() => setOpen(true)}>
        Split {first.flag} 50/50…
      </Button>
      {isOpen && (
        <PlanRollout
          at={{ project, env: environment.key, flag: first.flag }}
          environment={environment}
          treatment={first.variation}
          settling={{ ...suspect.settle, metric: suspected.metric, reason }}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}
