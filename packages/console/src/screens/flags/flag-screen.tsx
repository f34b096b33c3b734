import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { targetedFlagQuery } from '../../api/flag-configs.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FlagSettings } from './flag-settings.tsx'
import { TargetingTab } from './targeting/targeting-tab.tsx'

const tabs = ['targeting', 'settings'] as const
type FlagTab = (typeof tabs)[number]

/** One flag: who gets what in the environment of the address, and what the flag itself is. */
export function FlagScreen() {
  const { project, environment } = useScope()
  const { flag: key, tab: named } = useParams({ from: '/p/$project/flags/$flag/$tab' })
  const tab = tabs.find((one) => one === named) ?? 'targeting'
  const navigate = useNavigate({ from: '/p/$project/flags/$flag/$tab' })
  const flag = useQuery(targetedFlagQuery({ project, flag: key }))
  const isMissing = flag.error !== null && toProblem(flag.error).status === 404
  const open = (next: FlagTab) => void navigate({ params: (now) => ({ ...now, tab: next }) })

  return (
    <Screen
      title={key}
      heading={<code>{key}</code>}
      crumbs={
        <Link from="/p/$project/flags/$flag/$tab" to="/p/$project/flags" className="hover:text-text">
          Flags
        </Link>
      }
    >
      {isMissing ? (
        <Empty
          title="There is no flag with this key"
          action={
            <Link
              from="/p/$project/flags/$flag/$tab"
              to="/p/$project/flags"
              search={{ q: key }}
              className={buttonClass()}
            >
              Look for it in the list
            </Link>
          }
        >
          It may have been deleted, or the address has another spelling.
        </Empty>
      ) : (
        <Async of={flag}>
          {(found) => (
            <>
              <p className="flex min-w-0 flex-wrap items-center gap-8 text-text-2">
                <b className="min-w-0 truncate font-strong text-text">{found.name}</b>
                <CopyText text={found.key} label="key" />
                {found.description && <span className="min-w-0">{found.description}</span>}
              </p>
              {found.archivedAt !== null && (
                <Notice
                  tone="plain"
                  title="This flag is archived"
                  detail="Nobody gets it any more. It can be brought back, as it was, below Settings."
                />
              )}
              <Tabs
                label="Parts of the flag"
                value={tab}
                onValue={open}
                tabs={[
                  {
                    value: 'targeting',
                    label: 'Targeting',
                    content:
                      tab === 'targeting' ? (
                        <TargetingTab project={project} flag={key} env={environment.key} />
                      ) : null,
                  },
                  {
                    value: 'settings',
                    label: 'Settings',
                    content: <FlagSettings key={found.version} project={project} flag={found} />,
                  },
                ]}
              />
            </>
          )}
        </Async>
      )}
    </Screen>
  )
}
