import { calls } from '@telltale/core/contract/calls'
import { projectVerb } from '../command/remote-verb.ts'
import { renderFacts } from '../output/table.ts'

export const segmentsGet = projectVerb({
  name: 'segments get',
  group: 'flags',
  does: 'shows a segment, its conditions and the flags that use it',
  takes: [{ name: 'SEGMENT' }],
  async run({ server, project, argument, show }) {
    const params = { project, segment: argument(0) }
    const segment = await server.request(calls.segments.getSegment, { params })
    show(segment, () => {
      const usedBy = segment.usedBy.map(({ flag, env }) => `${flag} (${env})`)
      const facts = renderFacts([
        ['key', segment.key],
        ['name', segment.name],
        ['description', segment.description || '-'],
        ['used by', usedBy.join(', ') || '-'],
      ])
      return `${facts}\n\n${JSON.stringify(segment.when, null, 2)}`
    })
  },
})
