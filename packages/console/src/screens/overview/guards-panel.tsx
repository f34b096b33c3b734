import { Link } from '@tanstack/react-router'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'

/** Where the verdicts of guards will stand. Until there are guards: that nothing is watched, and who watches instead. */
export function GuardsPanel() {
  const { project } = useScope()
  return (
    <Panel title="Guards" note="none set up">
      <div className="grid justify-items-start gap-10">
        <p className="text-pretty text-text-2">
          No flag is watched by a guard: nothing is rolled back by itself. Changes of flags stand on the
          charts, so that you see what moved after them.
        </p>
        <Link to="/p/$project/flags" params={{ project }} className={buttonClass('normal', 'small')}>
          All flags
        </Link>
      </div>
    </Panel>
  )
}
