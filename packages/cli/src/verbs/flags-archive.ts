import { calls } from '@telltale/core/contract/calls'
import { projectVerb } from '../command/remote-verb.ts'

export const flagsArchive = projectVerb({
  name: 'flags archive',
  group: 'flags',
  does: 'archives a flag: no environment serves it, and it can be restored in the console',
  takes: [{ name: 'FLAG' }],
  async run({ server, project, argument, show }) {
    const flag = await server.request(calls.flags.archiveFlag, { params: { project, flag: argument(0) } })
    show(flag, () => `Archived ${flag.key}.`)
  },
})
