import { dataOption } from '../command/host-options.ts'
import { runServerProgram } from '../command/server-program.ts'
import { verb } from '../command/verb.ts'

/** Short-lived objects of requests die young: fewer are moved into the old generation. */
const nodeOptions = ['--max-semi-space-size=64', '--enable-source-maps']

export const start = verb({
  name: 'start',
  group: 'server',
  does: 'starts the server, with its data in ./data',
  more: 'Every setting of the [configuration](configuration.md) works as an option or a variable. A bare `telltale` is the same.',
  passesOn: true,
  options: {
    data: dataOption,
    port: { value: 'PORT', does: 'the port, 4380 by default', variable: 'TELLTALE_PORT' },
    host: {
      value: 'ADDRESS',
      does: 'the address to listen on, 127.0.0.1 by default',
      variable: 'TELLTALE_HOST',
    },
    'public-url': {
      value: 'URL',
      does: 'the URL under which users and members reach it',
      variable: 'TELLTALE_PUBLIC_URL',
    },
    setup: { value: 'FILE', does: 'a setup file, applied at every start', variable: 'TELLTALE_SETUP' },
    demo: { does: 'adds a demo project with a shop and visitors' },
  },
  run: ({ rest }) => runServerProgram(rest, nodeOptions),
})
