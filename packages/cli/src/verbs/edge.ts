import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

/** As for the server: short-lived objects of requests die young. */
const nodeOptions = ['--max-semi-space-size=64', '--enable-source-maps']

export const edge = verb({
  name: 'edge',
  group: 'server',
  does: 'answers for flags near your users, from the rule sets of a server',
  more: 'It needs neither PostgreSQL nor a telemetry engine: [edges](../guides/edge.md). Every setting of its [configuration](configuration.md#telltale-edge) works as an option or a variable.',
  passesOn: true,
  options: {
    server: { value: 'URL', does: 'the server that it follows', variable: 'TELLTALE_EDGE_SERVER' },
    key: {
      value: 'KEY',
      does: 'a server key of an environment; several times for several environments',
      variable: 'TELLTALE_EDGE_KEYS',
    },
    data: { value: 'FOLDER', does: 'its folder, ./edge by default', variable: 'TELLTALE_DATA' },
    port: { value: 'PORT', does: 'the port, 4380 by default', variable: 'TELLTALE_PORT' },
    host: {
      value: 'ADDRESS',
      does: 'the address to listen on, 127.0.0.1 by default',
      variable: 'TELLTALE_HOST',
    },
  },
  run: ({ rest }) => runServerProgram(['edge', ...rest], nodeOptions),
})
