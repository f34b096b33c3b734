// People under a split, as rows of events and profiles, with one cause of harm or none: a guilty issue, a request that got slow,
// one that fails, a function that burns time, or a browser in which everything fails. Made by the engine itself, so that millions
// take seconds. The same seed gives the same people.
import type { Telemetry } from '../../../platform/engines/clickhouse/telemetry.ts'

export type Planted = 'issue' | 'slow-request' | 'failing-request' | 'function' | 'slice' | 'nothing'

export interface PlantedSite {
  environment: string
  split: string
  epoch: number
  /** Of the treatment among both arms. */
  share: number
  arms: { treatment: string; control: string }
  flag: string
  people: number
  planted: Planted
  seed: number
  /** Milliseconds since 1970, and how long people come from then on. */
  at: number
  span: number
}

/** What is guilty where something is. */
export const guilty = {
  issue: '1004',
  'slow-request': '/api/cart/3',
  'failing-request': '/api/cart/2',
  function: 'burn6',
  browser: 'Safari',
} as const

const browsers = ['Chrome', 'Chrome', 'Chrome', 'Firefox', 'Firefox', 'Safari', 'Edge']
const countries = ['DE', 'DE', 'DE', 'FR', 'FR', 'AT', 'CH']
const issues = 20
const requests = 8
const functions = 12
/** Seconds: millions are made at once, on machines that have other work. */
const insertLimit = 300

export async function plantEvents(
  telemetry: Pick<Telemetry, 'command'>,
  site: PlantedSite,
  { visit = 0, profiles = true }: { visit?: number; profiles?: boolean } = {},
): Promise<void> {
  const visited = { ...site, visit }
  await telemetry.command(renderEvents(visited))
  if (profiles) for (const text of renderProfiles(visited)) await telemetry.command(text)
}

/** The same people come again and again. */
interface Visited extends PlantedSite {
  visit: number
}

/** SQL of a number from 0 up to 1 that depends on a person, a place, the seed and the visit. */
const chance = ({ seed, visit }: Visited, place: string) =>
  `(cityHash64(number, ${place}, ${seed}, ${visit}) % 1000003 / 1000003.)`
/** What stays with a person. */
const lasting = (site: Visited) => ({ ...site, visit: 0 })
/** Nearly normal. */
const normal = (site: Visited, place: string) =>
  `((${chance(site, `${place}, 1`)} + ${chance(site, `${place}, 2`)} + ${chance(site, `${place}, 3`)} - 1.5) * 2)`
const oneOf = (site: Visited, values: readonly string[], place: string) =>
  `[${values.map((value) => `'${value}'`).join(', ')}][1 + toUInt32(floor(${chance(site, place)} * ${values.length}))]`

function people(visited: Visited): string {
  const site = lasting(visited)
  const { share, at, span, people: count } = site
  return `SELECT number, 1 + number + ${site.seed} * 100000000 AS person, ${chance(site, '1')} < ${share} AS treated,
    ${oneOf(site, browsers, '2')} AS on_browser, ${oneOf(site, countries, '3')} AS in_country,
    ${oneOf(site, ['desktop', 'desktop', 'mobile'], '4')} AS on_device, ${oneOf(site, ['2.0', '2.0', '2.1'], '5')} AS at_version,
    exp(0.4 * ${normal(site, '6')}) AS slow, exp(0.6 * ${normal(site, '7')}) AS prone,
    fromUnixTimestamp64Milli(toInt64(${at} + floor(${chance(visited, '8')} * ${span}))) AS came,
    reinterpretAsUUID(reverse(unhex(concat('0190b3a4000070008000', leftPad(hex(person * 1000 + ${visited.visit}), 12, '0'))))) AS visit
  FROM numbers(${count})`
}

const armsOf = ({ split, epoch, arms }: PlantedSite) =>
  `[(toUInt64(${split}), toUInt32(${epoch}), if(treated, '${arms.treatment}', '${arms.control}'), toUInt64(person))]`

function renderEvents(site: Visited): string {
  const { environment, planted } = site
  const is = (cause: Planted, condition: string) => (planted === cause ? `treated AND ${condition}` : '0')
  const rate = `least(0.5, prone * (0.012 / (1 + i / 2) * if(${is('slice', `on_browser = '${guilty.browser}'`)}, 5, 1) + if(${is('issue', `i = ${Number(guilty.issue) - 1_000}`)}, 0.05, 0)))`
  const errors = `arrayMap(i -> ('error', '', 0., 0., '', 0, toUInt64(1000 + i)), arrayFilter(i -> ${chance(site, "'issue', i")} < ${rate}, range(${issues})))`
  const endpoint = "concat('/api/cart/', toString(i))"
  const isSlow = is('slow-request', `${endpoint} = '${guilty['slow-request']}'`)
  const fails = `${chance(site, "'fails', i")} < if(${is('failing-request', `${endpoint} = '${guilty['failing-request']}'`)}, 0.1, 0.01)`
  const asked = `arrayMap(i -> ('resource', '', 0., slow * 300 / (1 + i / 3) * exp(0.5 * ${normal(site, "'asked', i")}) + if(${isSlow}, 500, 0), ${endpoint}, ${fails}, toUInt64(0)), range(${requests}))`
  const lcp = `('vital', 'LCP', slow * 1500 * exp(0.4 * ${normal(site, '9')}) + if(${planted === 'slow-request' ? 'treated' : '0'}, 500, 0), 0., '', 0, toUInt64(0))`
  const plain = (kind: string) => `('${kind}', '', 0., 0., '', 0, toUInt64(0))`
  return `INSERT INTO events (environment_id, kind, ts, event_id, session_id, browser, country, device, version, name, value, duration, res_method, res_host,
      res_endpoint, res_failed, err_group, err_type, err_message, err_stack, has_replay, arms, flags)
    SELECT '${environment}', what.1 AS chosen, came, generateUUIDv4(), visit, on_browser, in_country, on_device, at_version, what.2, what.3, what.4,
      if(chosen = 'resource', 'GET', ''), if(chosen = 'resource', 'shop.example', ''), what.5, what.6, what.7, if(chosen = 'error', 'TypeError', ''),
      if(chosen = 'error', concat('it broke at ', toString(what.7)), ''),
      if(chosen = 'error', concat('TypeError: it broke\\n    at fail', toString(what.7), ' (https://shop.example/app.js:1:', toString(what.7), ')'), ''), person % 3 = 0, ${armsOf(site)}, [concat('${site.flag}=', if(treated, '${site.arms.treatment}', '${site.arms.control}'))]
    FROM (SELECT *, arrayJoin(arrayConcat([${plain('exposure')}, ${plain('view')}, ${lcp}], ${asked}, ${errors})) AS what FROM (${people(site)}))
    SETTINGS max_execution_time = ${insertLimit}`
}

/** Of one in four people. */
function renderProfiles(site: Visited): string[] {
  const { environment, planted, flag, arms } = site
  const frame =
    "concat('burn', toString(number), char(9), 'https://shop.example/app.js', char(9), '1', char(9), toString(number))"
  const burns = planted === 'function' ? `if(treated AND i = 6, 30, 0)` : '0'
  return [
    `INSERT INTO profile_stacks (environment_id, stack, seen, frames)
      SELECT '${environment}', toUInt64(7000 + number), today(), ['main', ${frame}] FROM numbers(${functions})`,
    `INSERT INTO profile_rows (environment_id, day, page, version, browser, device, profile_id, session_id, ts, weight, flags, arms, stack, self_ms, samples)
      SELECT '${environment}', toDate(came), '/cart', at_version, on_browser, on_device, visit, visit, came, 1,
        [concat('${flag}=', if(treated, '${arms.treatment}', '${arms.control}'))], ${armsOf(site)}, toUInt64(7000 + i),
        slow * 20 / (1 + i / 2) * exp(0.5 * ${normal(site, "'burnt', i")}) + ${burns}, 1
      FROM (SELECT *, arrayJoin(range(${functions})) AS i FROM (${people(site)}) WHERE number % 4 = 0)`,
  ]
}
