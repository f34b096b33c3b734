import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const restore = verb({
  name: 'restore',
  group: 'server',
  does: 'puts a backup into an empty installation, or in the place of one',
  takes: [{ name: 'FILE' }],
  options: {
    data: dataOption,
    replace: { does: 'replaces what is in the installation' },
    json: jsonOption,
  },
  run: ({ rest }) => runServerProgram(['restore', ...rest]),
})
