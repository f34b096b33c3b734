import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Dashboard } from '../../api/dashboards.ts'
import type { Question } from '../../api/question.ts'
import { DashboardGrid } from '../../features/dashboards/dashboard-grid.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { labelOfRange } from '../../shell/time-range.ts'
import { IconButton } from '../../ui/button.tsx'
import { EnvironmentMark } from '../../ui/environment-mark.tsx'
import { useDocumentTitle } from '../../ui/text/document-title.ts'
import { useNow } from '../../ui/text/time.tsx'
import { timeText } from '../../ui/text/time-text.ts'
import { MeasuredTile } from './measured-tile.tsx'

/** Only the tiles, larger, without bars and buttons. They refresh by themselves; escape leaves. */
export function TvDashboard({ dashboard, question }: { dashboard: Dashboard; question: Question }) {
  const { project, environment, range } = useScope()
  const navigate = useNavigate({ from: '/p/$project/dashboards/$dashboard' })
  const now = useNow()
  useDocumentTitle(dashboard.name, project)
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') void navigate({ search: (current) => ({ ...current, tv: undefined }) })
    }
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  }, [navigate])
  const zone = environment.timeZone
  return (
    <main id="content" className="grid min-w-0 content-start gap-12 p-12 wide:[zoom:1.25]">
      <header className="flex items-center gap-12">
        <h1 className="min-w-0 truncate font-strong text-22">{dashboard.name}</h1>
        <span className="flex min-w-0 items-center gap-6 text-text-2">
          <EnvironmentMark environment={environment} />
          <span className="truncate max-wide:hidden">
            {environment.name}, {labelOfRange(range, (at) => timeText(at, now, zone))}
            {question.filter && `, ${question.filter}`}
          </span>
        </span>
        <span className="ml-auto">
          <IconButton
            icon="close"
            label="Leave TV mode (Escape)"
            onClick={() => void navigate({ search: (current) => ({ ...current, tv: undefined }) })}
          />
        </span>
      </header>
      <DashboardGrid>
        {dashboard.tiles.map((tile) => (
          <MeasuredTile key={tile.id} tile={tile} question={question} saved={dashboard.id} />
        ))}
      </DashboardGrid>
    </main>
  )
}
