import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { readPages } from '../api/read-pages.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { renderTable } from '../output/table.ts'

export const segmentsList = projectVerb({
  name: 'segments list',
  group: 'flags',
  does: 'lists the segments of a project',
  async run({ server, project, show }) {
    const items = await readPages((cursor) =>
      server.request(calls.segments.listSegments, {
        params: { project },
        query: { limit: limits.pageSizeMaximum, cursor },
      }),
    )
    show({ items }, (terminal) => {
      if (items.length === 0) return 'No segments.'
      const rows = items.map(({ key, name, usedByFlags }) => [key, String(usedByFlags), name])
      return renderTable(['key', 'used by flags', 'name'], rows, terminal)
    })
  },
})
