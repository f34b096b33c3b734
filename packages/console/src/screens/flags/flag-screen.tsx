import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { targetedFlagQuery } from '../../api/flag-configs.ts'
import type { DescribedFlag } from '../../api/flags.ts'
import { toProblem } from '../../api/problem.ts'
import { ManagedInCode } from '../../features/managed-in-code.tsx'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { ArchivedNotice } from './archived-notice.tsx'
import { summaryIn } from './environment-states.ts'
import { FlagContext } from './flag-context.ts'
import { FlagHead } from './flag-head.tsx'
import { FlagTabs, useFlagTab } from './flag-tabs.tsx'
import { Planning } from './planning.tsx'
import { useRights } from './targeting/use-rights.ts'
import { useSwitching } from './use-switching.tsx'

const scopes = {
  targeting: 'environment',
  impact: 'environment',
  history: 'environment',
  usage: 'environment-and-time',
  settings: 'none',
} as const

/** A flag: its head and the tab selected in the URL. */
export function FlagScreen() {
  const { project } = useScope()
  const { flag: key } = useParams({ from: '/p/$project/flags/$flag' })
  const flag = useQuery(targetedFlagQuery({ project, flag: key }))
  const isMissing = flag.error !== null && toProblem(flag.error).status === 404
  const tab = useFlagTab()

  return (
    <Screen
      title={key}
      heading={<code>{key}</code>}
      scope={scopes[tab]}
      crumbs={
        <Link to="/p/$project/flags" params={{ project }} className="hover:text-text">
          Flags
        </Link>
      }
      tabs={
        flag.data && (
          <>
            <FlagHead flag={flag.data} />
            <FlagTabs flag={key} />
          </>
        )
      }
    >
      {isMissing && !flag.data ? (
        <NoSuchFlag flag={key} />
      ) : (
        <Async of={flag}>
          {(found) => (
            <FlagContext value={found}>
              {found.archivedAt !== null && <ArchivedNotice flag={found} />}
              {(tab === 'targeting' || tab === 'settings') && <ManagedInCode kind="flags" entry={key} />}
              <SwitchFromPalette flag={found} />
              <Planning flag={found}>
                <Outlet />
              </Planning>
            </FlagContext>
          )}
        </Async>
      )}
    </Screen>
  )
}

/** Commands of the palette save nothing directly: they open the review, or can be undone. */
function SwitchFromPalette({ flag }: { flag: DescribedFlag }) {
  const { environment } = useScope()
  const switching = useSwitching()
  const { readOnly } = useRights(environment, flag.archivedAt !== null)
  const isOn = summaryIn(flag, environment.key)?.enabled ?? false
  usePaletteEntries(
    readOnly === undefined
      ? [
          {
            id: 'switch-flag',
            group: 'Do',
            icon: 'flag',
            label: `Turn ${isOn ? 'off' : 'on'} ${flag.key} in ${environment.name}${environment.protected ? '…' : ''}`,
            run: () => switching.turn(flag, !isOn),
          },
        ]
      : [],
  )
  return (
    <>
      {switching.trouble}
      {switching.dialog}
    </>
  )
}

function NoSuchFlag({ flag }: { flag: string }) {
  const { project } = useScope()
  return (
    <Empty
      title="Flag not found"
      action={
        <Link to="/p/$project/flags" params={{ project }} search={{ q: flag }} className={buttonClass()}>
          Show all flags
        </Link>
      }
    >
      It may have been deleted. Applications that still evaluate it get the default in their code.
    </Empty>
  )
}
