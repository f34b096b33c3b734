import { Link } from '@tanstack/react-router'
import type { SessionWithAttributions } from '../../api/sessions.ts'
import { AttributionItem } from '../../features/attributions/attribution-item.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'

/** The failures of this session that are owed to a variation it had; nothing without any. */
export function SessionAttributions({ session }: { session: SessionWithAttributions }) {
  const { project } = useScope()
  const { attributions } = session
  if (attributions.length === 0) return null
  return (
    <Panel title="Caused by flags" note="failures of this session, compared with other users">
      <ul className="grid gap-16 full:grid-cols-2">
        {attributions.map(({ issue, title, ...attribution }) => (
          <AttributionItem
            key={`${issue} ${attribution.split} ${attribution.epochs.first} ${attribution.variation}`}
            attribution={attribution}
            issue={issue}
          >
            <Link
              to="/p/$project/errors/$issue"
              params={{ project, issue }}
              className="min-w-0 truncate font-code text-12 text-accent hover:underline"
            >
              {title}
            </Link>
          </AttributionItem>
        ))}
      </ul>
    </Panel>
  )
}
