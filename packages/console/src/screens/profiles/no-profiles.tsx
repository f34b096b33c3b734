import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { firstEventQuery } from '../../api/first-event.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBox } from '../../ui/copy.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'

/** Without it browsers refuse to take samples. */
export const profilingHeader = 'Document-Policy: js-profiling'

/** Why there are no profiles: the filter, the share of sessions, the page's header, or the browsers. */
export function NoProfiles({ onClear }: { onClear?: (() => void) | undefined }) {
  const { project, environment } = useScope()
  const { data: newest } = useQuery(firstEventQuery(project, environment.key))
  return (
    <Panel>
      {onClear ? (
        <NothingFound of="profiles" onClear={onClear} />
      ) : environment.sampling.profile === 0 ? (
        <ShareIsZero />
      ) : newest === null ? (
        <NothingFound of="profiles" />
      ) : (
        <NotSwitchedOn />
      )}
    </Panel>
  )
}

function ShareIsZero() {
  const { project, environment } = useScope()
  return (
    <Empty
      title={`No session is profiled in ${environment.name}`}
      action={
        <Link
          to="/p/$project/settings/environments/$environment"
          params={{ project, environment: environment.key }}
          className={buttonClass()}
        >
          Choose a share
        </Link>
      }
    >
      The share of sessions that are profiled is 0%. One or two in a hundred tell what burns the time of a
      page.
    </Empty>
  )
}

function NotSwitchedOn() {
  const { environment } = useScope()
  return (
    <>
      <Empty title="No profiles in this time">
        {environment.sampling.profile}% of sessions are profiled, where the page allows it and the browser
        can: Chrome, Edge and others of Chromium. Safari and Firefox take no samples.
      </Empty>
      <div className="mx-auto grid w-full max-w-review gap-8 px-14 pb-20">
        <p className="text-pretty text-text-2">
          The page has to send this header with its HTML. Without it the browser refuses, and nothing of the
          profiler is loaded.
        </p>
        <CodeBox label="Header that allows profiling" code={profilingHeader} />
      </div>
    </>
  )
}
