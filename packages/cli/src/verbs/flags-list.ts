import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { readPages } from '../api/read-pages.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { renderTable } from '../output/table.ts'

type Row = ReplyOf<typeof calls.flags.listFlags>['items'][number]

export const flagsList = projectVerb({
  name: 'flags list',
  group: 'flags',
  does: 'lists the flags of a project and where they are on',
  options: {
    search: { value: 'TEXT', does: 'part of the key or the name' },
    tag: { value: 'TAG', does: 'flags with this tag' },
    archived: { does: 'archived flags instead' },
  },
  async run({ server, project, text, isSet, show }) {
    const query = { search: text('search'), tag: text('tag'), archived: isSet('archived') || undefined }
    const items = await readPages((cursor) =>
      server.request(calls.flags.listFlags, {
        params: { project },
        query: { ...query, limit: limits.pageSizeMaximum, cursor },
      }),
    )
    show({ items }, (terminal) => {
      if (items.length === 0) return 'No flags.'
      return renderTable(['key', 'type', 'on in', 'lifecycle', 'name'], items.map(rowOf), terminal)
    })
  },
})

const rowOf = ({ key, name, valueType, environments, lifecycle }: Row) => [
  key,
  valueType,
  environments.flatMap(({ env, enabled }) => (enabled ? [env] : [])).join(', ') || '-',
  lifecycle.state,
  name,
]
