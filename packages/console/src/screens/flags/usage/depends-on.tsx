import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isSegmentCondition } from '@telltale/core/changes/condition-words'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { ReactNode } from 'react'
import { flagConfigQuery, type SavedConfig } from '../../../api/flag-configs.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { useConfigRef, useFlag } from '../flag-context.ts'

/** Prerequisites and segments of this flag, in the environment of the screen. */
export function DependsOn() {
  const { project, environment } = useScope()
  const config = useQuery(flagConfigQuery(useConfigRef()))

  return (
    <Panel title="Depends on" note={`in ${environment.name}`}>
      <Async of={config}>
        {(saved) => {
          const segments = segmentsOf(saved)
          if (saved.prerequisites.length === 0 && segments.length === 0) {
            return <p className="text-text-2">No flags or segments.</p>
          }
          return (
            <div className="grid gap-12">
              {saved.prerequisites.length > 0 && (
                <List name="Flags it requires">
                  {saved.prerequisites.map(({ flag, variation }) => (
                    <li key={flag} className="min-w-0 break-words">
                      <Link
                        to="/p/$project/flags/$flag/targeting"
                        params={{ project, flag }}
                        className="font-code text-12"
                      >
                        {flag}
                      </Link>{' '}
                      <span className="text-text-2">
                        serving <code className="text-12">{variation}</code>
                      </span>
                    </li>
                  ))}
                </List>
              )}
              {segments.length > 0 && (
                <List name="Segments in its rules">
                  {segments.map((segment) => (
                    <li key={segment} className="min-w-0 break-words">
                      <Link
                        to="/p/$project/segments/$segment"
                        params={{ project, segment }}
                        className="font-code text-12"
                      >
                        {segment}
                      </Link>
                    </li>
                  ))}
                </List>
              )}
            </div>
          )
        }}
      </Async>
    </Panel>
  )
}

/** Flags that serve their off variation where this flag does not serve the required one. */
export function NeededBy() {
  const { project, environments } = useScope()
  const { requiredBy } = useFlag()
  const nameOf = (env: string) => environments.find(({ key }) => key === env)?.name ?? env

  return (
    <Panel title="Required by" note="everywhere">
      {requiredBy.length === 0 ? (
        <p className="text-text-2">No flags require it.</p>
      ) : (
        <ul className="grid gap-4">
          {requiredBy.map(({ flag, env, archived }) => (
            <li key={`${flag} ${env}`} className="min-w-0 break-words">
              <Link
                to="/p/$project/flags/$flag/targeting"
                params={{ project, flag }}
                search={{ env }}
                className="font-code text-12"
              >
                {flag}
              </Link>{' '}
              <span className="text-text-2">
                in {nameOf(env)}
                {archived && ', archived'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function List({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-4">
      <h3 className="text-12 text-text-3">{name}</h3>
      <ul className="grid gap-4">{children}</ul>
    </div>
  )
}

function segmentsOf({ rules }: SavedConfig): string[] {
  return [...new Set(rules.flatMap(({ when }) => namedIn(when)))].toSorted()
}

function namedIn({ of }: ConditionGroup): string[] {
  return of.flatMap((part) => {
    if ('match' in part) return namedIn(part)
    return isSegmentCondition(part) ? [part.segment] : []
  })
}
