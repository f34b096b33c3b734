// Every setting of `telltale edge`. Those that a server has as well keep their names.

import { resolve } from 'node:path'
import { parseUrl } from '@telltale/core/parse-url'
import { settings } from '../../platform/process/config.ts'
import { oneOf, text, wholeNumber } from '../../platform/process/parse-setting.ts'
import { readSettings, setting, type Values } from '../../platform/process/read-settings.ts'

/** Of one edge: more cores are for several edges behind a balancer. */
export const mostProcesses = 64

const { port, host, trustedProxies, metricsToken, logLevel, requestMemory, drainTime } = settings

export const edgeSettings = {
  server: setting({
    variable: 'TELLTALE_EDGE_SERVER',
    flag: 'server',
    default: '',
    meaning: 'The address of the server that the edge follows. Required.',
    parse: serverAddress,
  }),
  keys: setting({
    variable: 'TELLTALE_EDGE_KEYS',
    flag: 'key',
    flagRepeats: true,
    default: '',
    meaning: 'Server keys, one for each environment that the edge serves, separated by commas. Required.',
    parse: serverKeys,
  }),
  dataFolder: setting({
    variable: 'TELLTALE_DATA',
    flag: 'data',
    default: './edge',
    meaning: 'The folder of the snapshots, and of telemetry until the server has it.',
    parse: (value) => resolve(text(value)),
  }),
  port,
  host,
  trustedProxies,
  streamsPerAddress: settings.streamsPerAddress,
  processes: setting({
    variable: 'TELLTALE_EDGE_PROCESSES',
    flag: 'processes',
    default: '1',
    meaning:
      'Processes that share the port, at most as many as the machine has cores. Each holds all rule sets in memory.',
    parse: wholeNumber(1, mostProcesses),
  }),
  identities: setting({
    variable: 'TELLTALE_EDGE_IDENTITIES',
    flag: 'identities',
    default: 'forward',
    meaning:
      "Calls of Flagsmith's clients that need the kept traits of an identity, which an edge does not have: `forward` has the server answer them, `refuse` answers 501.",
    parse: oneOf('forward', 'refuse'),
  }),
  requestMemory,
  spoolSize: {
    ...settings.spoolSize,
    meaning:
      'The maximum bytes of telemetry on disk that wait for the server. Never more than a fifth of the free disk space.',
  },
  drainTime,
  metricsToken,
  logLevel,
} as const

export type EdgeConfig = Values<typeof edgeSettings>

export function readEdgeConfig(args: string[], env: Record<string, string | undefined>): EdgeConfig {
  return readSettings(edgeSettings, args, env)
}

function serverAddress(value: string): string {
  const parsed = parseUrl(value)
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol) || parsed.search !== '')
    throw new Error('must be the address of a server, such as https://telltale.example.com')
  return value.replace(/\/+$/, '')
}

function serverKeys(value: string): string[] {
  const keys = value
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  if (keys.length === 0) throw new Error('must have a server key for each environment')
  return [...new Set(keys)]
}
