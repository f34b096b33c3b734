import { v7 as newId } from 'uuid'
import { findAlerts } from '../../notify/alerts/queries.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { createDashboard } from '../../reports/dashboards/create-dashboard.ts'
import type { DemoDashboard } from './demo.ts'
import type { Step } from './make-rollout.ts'

interface MadeDashboards {
  project: { id: string; key: string }
  dashboards: readonly DemoDashboard[]
  by: (name: string, ago: number) => ChangeOrigin
  /** Ids of members by name. */
  people: ReadonlyMap<string, string>
}

/** After the alerts, whose ids its tiles hold. */
export function makeDashboards(db: Db, { project, dashboards, by, people }: MadeDashboards): Step[] {
  return dashboards.map(({ by: name, ago, tiles, ...draft }) => ({
    ago,
    make: async () => {
      const alerts = await findAlerts(db, project.id)
      const idOf = (alert: string) => alerts.find(({ row }) => row.name === alert)?.row.id ?? alert
      const owner = { id: people.get(name) ?? '', name }
      const placed = tiles.map((tile) =>
        tile.kind === 'alert' ? { ...tile, id: newId(), alert: idOf(tile.alert) } : { ...tile, id: newId() },
      )
      await createDashboard(db, by(name, ago), { project, owner, draft: { ...draft, tiles: placed } })
    },
  }))
}
