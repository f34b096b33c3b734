import { dataOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

export const engine = verb({
  name: 'engine',
  group: 'server',
  does: 'runs a standalone telemetry engine for several servers',
  options: {
    data: dataOption,
    port: { value: 'PORT', does: 'the port to listen on' },
    host: { value: 'ADDRESS', does: 'the address to listen on' },
    user: { value: 'NAME', does: 'the user that servers sign in as' },
    json: { does: 'prints the address for servers as JSON, once it runs' },
  },
  run: ({ rest }) => runServerProgram(['engine', ...rest]),
})
