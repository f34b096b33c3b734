import { calls } from '@telltale/core/contract/calls'
import { UsageError } from '../command/read-arguments.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { renderTable } from '../output/table.ts'

const mostShown = 200
const usuallyShown = 20

export const audit = projectVerb({
  name: 'audit',
  group: 'flags',
  does: 'lists the latest changes in a project',
  options: {
    entity: { value: 'KIND', does: 'changes of one kind of entity, such as flag' },
    from: { value: 'TIME', does: 'changes since then' },
    to: { value: 'TIME', does: 'changes until then' },
    limit: { value: 'N', does: `how many, ${usuallyShown} by default, at most ${mostShown}` },
  },
  async run({ server, project, text, show }) {
    const limit = Number(text('limit') ?? usuallyShown)
    if (!Number.isInteger(limit) || limit < 1 || limit > mostShown) {
      throw new UsageError(`--limit is a number from 1 to ${mostShown}.`)
    }
    const query = { entity: text('entity'), from: text('from'), to: text('to'), limit }
    const page = await server.request(calls.audit.listProjectAudit, { params: { project }, query })
    show(page, (terminal) => {
      if (page.items.length === 0) return 'No changes.'
      const rows = page.items.map(({ at, actor, action, entity, environment }) => [
        at,
        actor.name,
        action,
        entity.name,
        environment ?? '-',
      ])
      return renderTable(['time', 'by', 'action', 'what', 'environment'], rows, terminal)
    })
  },
})
