import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const moveDatabase = verb({
  name: 'move-database',
  group: 'server',
  does: 'copies the embedded database to a PostgreSQL server',
  takes: [{ name: 'URL' }],
  options: { data: dataOption, json: jsonOption },
  run: ({ rest }) => runServerProgram(['move-database', ...rest]),
})
