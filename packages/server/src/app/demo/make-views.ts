import { grantOf } from '@telltale/core/rights'
import type { ProjectRow } from '../../access/find-project.ts'
import { createSavedView } from '../../organisation/saved-views/create-saved-view.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import type { DemoView } from './demo.ts'
import type { Step } from './make-rollout.ts'

interface MadeViews {
  project: ProjectRow
  views: readonly DemoView[]
  by: (name: string, ago: number) => ChangeOrigin
  /** Ids of members by name. */
  people: ReadonlyMap<string, string>
}

/** For every member of the project. */
export function makeViews(db: Db, { project, views, by, people }: MadeViews): Step[] {
  return views.flatMap(({ by: name, ago, ...view }) => {
    const id = people.get(name)
    if (id === undefined) return []
    const draft = { ...view, shared: true }
    const make = async () => {
      await createSavedView(db, by(name, ago), {
        project,
        grant: grantOf('admin'),
        user: { id, name },
        draft,
      })
    }
    return [{ ago, make }]
  })
}
