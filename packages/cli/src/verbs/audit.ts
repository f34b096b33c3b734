import { calls } from '@telltale/core/contract/calls'
import { UsageError } from '../command/read-arguments.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { renderTable } from '../output/table.ts'

const mostShown = 200
const usuallyShown = 20

/** Which entries: the same for the list and the export. */
export const auditFilterOptions = {
  search: {
    value: 'WORDS',
    does: 'words or parts of words in the actor, the action and the name: "mara flag"',
  },
  action: { value: 'ACTION', does: 'one action, such as flag.archive' },
  actor: { value: 'ID', does: 'changes by a user or token' },
  entity: { value: 'KIND', does: 'changes of one kind of entity, such as flag' },
  env: { value: 'KEY', does: 'changes in one environment' },
  from: { value: 'TIME', does: 'changes since then' },
  to: { value: 'TIME', does: 'changes until then' },
} as const

export function readAuditFilter(text: (name: keyof typeof auditFilterOptions) => string | undefined) {
  return {
    q: text('search'),
    action: text('action'),
    actor: text('actor'),
    entity: text('entity'),
    environment: text('env'),
    from: text('from'),
    to: text('to'),
  }
}

export const audit = projectVerb({
  name: 'audit',
  group: 'flags',
  does: 'lists the latest changes in a project',
  options: {
    ...auditFilterOptions,
    limit: { value: 'N', does: `how many, ${usuallyShown} by default, at most ${mostShown}` },
  },
  async run({ server, project, text, show }) {
    const limit = Number(text('limit') ?? usuallyShown)
    if (!Number.isInteger(limit) || limit < 1 || limit > mostShown) {
      throw new UsageError(`--limit is a number from 1 to ${mostShown}.`)
    }
    const filter = readAuditFilter(text)
    const read = (page: { limit: number; cursor?: string }) =>
      server.request(calls.audit.listProjectAudit, { params: { project }, query: { ...filter, ...page } })
    let page = await read({ limit })
    // A search reads so many entries for a page, and may have found fewer than are wanted.
    while (page.next !== null && page.items.length < limit) {
      const further = await read({ limit: limit - page.items.length, cursor: page.next })
      page = { items: [...page.items, ...further.items], next: further.next }
    }
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
