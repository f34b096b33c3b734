import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { firstEventQuery } from '../../api/first-event.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBox } from '../../ui/copy.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'

/** Without the header, browsers refuse to sample. */
const profilingHeader = 'Document-Policy: js-profiling'

/** Why there are no profiles: the filter, the sampling rate, the page's header, or the browsers. */
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
      title={`Profiling is off in ${environment.name}`}
      action={
        <Link
          to="/p/$project/settings/environments/$environment"
          params={{ project, environment: environment.key }}
          className={buttonClass()}
        >
          Set the sampling rate
        </Link>
      }
    >
      The sampling rate is 0%. One or two percent of sessions are enough to see where a page spends its time.
    </Empty>
  )
}

function NotSwitchedOn() {
  const { environment } = useScope()
  return (
    <>
      <Empty title="No profiles in this time range">
        {environment.sampling.profile}% of sessions are profiled, if the page allows it and the browser
        supports it: Chrome, Edge and other Chromium browsers. Safari and Firefox do not support profiling.
      </Empty>
      <div className="mx-auto grid w-full max-w-review gap-8 px-14 pb-20">
        <p className="text-pretty text-text-2">
          The page must send this header with its HTML. Without it, the browser refuses to profile and the
          profiler is not loaded.
        </p>
        <CodeBox label="Header that allows profiling" code={profilingHeader} />
      </div>
    </>
  )
}
