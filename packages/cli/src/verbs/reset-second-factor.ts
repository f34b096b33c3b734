import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const resetSecondFactor = verb({
  name: 'reset-second-factor',
  group: 'server',
  does: 'removes the second factor of a user who lost it',
  takes: [{ name: 'EMAIL' }],
  options: { data: dataOption, json: jsonOption },
  run: ({ rest }) => runServerProgram(['reset-second-factor', ...rest]),
})
