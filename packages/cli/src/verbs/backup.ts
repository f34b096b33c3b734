import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const backup = verb({
  name: 'backup',
  group: 'server',
  does: 'writes everything but telemetry into one file',
  options: { data: dataOption, to: { value: 'FILE', does: 'the file to write' }, json: jsonOption },
  run: ({ rest }) => runServerProgram(['backup', ...rest]),
})
