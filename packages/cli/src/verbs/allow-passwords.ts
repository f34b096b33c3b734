import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const allowPasswords = verb({
  name: 'allow-passwords',
  group: 'server',
  does: 'ends single sign-on only, when no provider works',
  options: { data: dataOption, json: jsonOption },
  run: ({ rest }) => runServerProgram(['allow-passwords', ...rest]),
})
