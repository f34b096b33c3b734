import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ConnectSnippets } from '../../ui/connect-snippets.tsx'
import { NumberedSection } from '../../ui/numbered-section.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'

/** What a flag is, and the steps to the first one that an application evaluates. */
export function NoFlags({ action }: { action: ReactNode }) {
  const { project, environment } = useScope()
  const keys = useQuery(keysQuery(project, environment.key))

  return (
    <Panel>
      <Empty title="No flags yet" action={action}>
        A feature flag decides at run time which variation each user gets. Change it here without a
        deployment.
      </Empty>
      <div className="mx-auto max-w-review">
        <NumberedSection number={1} title="Create a flag" note="off in every environment">
          <p className="text-text-2">
            Boolean, or variations with text, numbers or JSON. Users see no change yet.
          </p>
        </NumberedSection>
        <NumberedSection number={2} title={`Use it in your application`} note={environment.name}>
          <Async of={keys} isEmpty={() => false}>
            {({ items }) => (
              <ConnectSnippets
                url={window.location.origin}
                clientKey={
                  items.find(({ value, revokedAt }) => value !== null && revokedAt === null)?.value ??
                  'your client key'
                }
              />
            )}
          </Async>
        </NumberedSection>
        <NumberedSection number={3} title="Turn it on for some users">
          <p className="text-text-2">
            Start with staff, then a percentage of all users. The history shows every change, and you can
            revert each one.
          </p>
        </NumberedSection>
      </div>
    </Panel>
  )
}

/** No flag matches this filter. Mentions archived flags if the filter hides them. */
export function NoMatch({ onClear, isArchived }: { onClear: () => void; isArchived: boolean }) {
  return (
    <Panel>
      <Empty
        title="No matching flags"
        action={
          <span className="flex flex-wrap justify-center gap-8">
            <button type="button" className={buttonClass()} onClick={onClear}>
              Clear the filter
            </button>
            {!isArchived && (
              <Link
                from="/p/$project/flags"
                to="/p/$project/flags"
                search={(now) => ({ ...now, lifecycle: 'archived' as const })}
                className={buttonClass()}
              >
                Search archived flags
              </Link>
            )}
          </span>
        }
      />
    </Panel>
  )
}
