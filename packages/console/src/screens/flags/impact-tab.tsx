import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { summaryIn } from './environment-states.ts'
import { useFlag } from './flag-context.ts'

/** What the variations did to users. Nothing is measured yet, and nothing is guessed. */
export function ImpactTab() {
  const { project, environment } = useScope()
  const flag = useFlag()
  const summary = summaryIn(flag, environment.key)
  const served = (summary?.serves ?? []).filter(({ weight }) => weight > 0)
  const only = summary?.rules === 0 && served.length === 1 ? served[0]?.variation : undefined

  return (
    <Panel>
      <Empty
        title="No telemetry yet"
        action={
          <Link
            to="/p/$project/flags/$flag/usage"
            params={{ project, flag: flag.key }}
            className={buttonClass()}
          >
            See how often it is evaluated
          </Link>
        }
      >
        <p>
          Once pages send what users live through, each variation is compared with the control here: speed,
          errors and what people do, every change with its interval. Until then there is nothing to show.
        </p>
        {only !== undefined && (
          <p className="pt-8">
            In {environment.name} everyone gets <code>{only}</code> at the moment. Something to compare needs
            two variations side by side.
          </p>
        )}
      </Empty>
    </Panel>
  )
}
