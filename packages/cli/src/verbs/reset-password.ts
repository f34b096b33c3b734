import { dataOption, jsonOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const resetPassword = verb({
  name: 'reset-password',
  group: 'server',
  does: 'prints a link for a new password, or reads the password',
  takes: [{ name: 'EMAIL' }],
  options: {
    data: dataOption,
    'password-stdin': { does: 'reads the new password from standard input' },
    json: jsonOption,
  },
  run: ({ rest }) => runServerProgram(['reset-password', ...rest]),
})
