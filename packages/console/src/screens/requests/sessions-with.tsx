import { Link } from '@tanstack/react-router'
import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import type { RequestGroup } from '../../api/requests.ts'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { durationText } from '../../ui/text/measure-text.ts'
import { chipsOfRequest, requestChip } from './request-chips.ts'

type SessionsWithProps = { group: RequestGroup; filter: Filter; p95: number | null; failed: number }

/** Links to the affected sessions. */
export function SessionsWith({ group, filter, p95, failed }: SessionsWithProps) {
  const whole = chipsOfRequest(group)
  return (
    <Panel title="Sessions with this request">
      <ul className="grid justify-items-start gap-8">
        {failed > 0 && (
          <li>
            <SessionsLink filter={filter} chips={[...whole, requestChip('failed', 'is', 'true')]}>
              With failed requests
            </SessionsLink>
          </li>
        )}
        {p95 !== null && (
          <li>
            <SessionsLink
              filter={filter}
              chips={[...whole, requestChip('duration', '>=', String(Math.floor(p95)))]}
            >
              With requests of {durationText(Math.floor(p95))} or more
            </SessionsLink>
          </li>
        )}
        <li>
          <SessionsLink filter={filter} chips={whole}>
            All
          </SessionsLink>
        </li>
      </ul>
    </Panel>
  )
}

type SessionsLinkProps = { filter: Filter; chips: readonly Chip[]; children: ReactNode }

function SessionsLink({ filter, chips, children }: SessionsLinkProps) {
  const { project } = useScope()
  const q = printFilter({ ...filter, chips: [...filter.chips, ...chips] })
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={(now) => ({ env: now.env, t: now.t, q })}
      className={buttonClass('normal', 'small')}
    >
      {children}
    </Link>
  )
}
