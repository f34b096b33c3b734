// The owner of the installation under test: signs in, plans a rollout, opens screens, erases users.

import { setTimeout as pause } from 'node:timers/promises'
import { owner } from '../intake/whole-path.ts'

const environment = '/api/v1/projects/shop/environments/production'
/** Each screen with what it reads. */
const screens = {
  overview: ['overview', 'overview/new-errors'],
  pages: ['pages'],
  page: ['page?page=/checkout', 'page/elements?page=/checkout&vital=LCP'],
  requests: ['requests'],
  issues: ['issues'],
  sessions: ['sessions', 'sessions/facets?fields=browser,page,flag', 'sessions/series'],
  explore: ['explore?kind=vital&measure=count&by=page'],
}
export type ScreenName = keyof typeof screens

/** The members that are read, each of some replies. */
interface Reply {
  id: string
  /** Of a configuration. */
  version: number
  /** Of a rollout. */
  turn: number
  state: string
  lastLook: { at: string } | null
}

export interface Owner {
  call(method: string, path: string, body?: object): Promise<Reply>
  /** Milliseconds until all of it was there. */
  openScreen(name: ScreenName): Promise<number>
  environmentId(): Promise<string>
}

export const screenNames = Object.keys(screens).filter((name): name is ScreenName => name in screens)

export async function signIn(url: string): Promise<Owner> {
  const headers: Record<string, string> = { 'content-type': 'application/json', origin: url }
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const { email, password } = owner
  const answer = await send('POST', '/api/v1/sign-in', { email, password })
  headers.cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const call: Owner['call'] = async (method, path, body) => {
    const text = await (await send(method, path, body)).text()
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    call,
    async openScreen(name) {
      const begun = performance.now()
      await Promise.all(screens[name].map((path) => call('GET', `${environment}/${path}`)))
      return performance.now() - begun
    },
    environmentId: async () => (await call('GET', environment)).id,
  }
}

export const guarded = 'new-search'

/** A flag of which half get the treatment under guard, for longer than the run. Returns the path of the rollout. */
export async function startRollout({ call }: Owner): Promise<string> {
  const variations = [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ]
  await call('POST', '/api/v1/projects/shop/flags', {
    key: guarded,
    name: 'New search',
    valueType: 'boolean',
    variations,
    clientVisible: true,
  })
  const { version } = await call('GET', `${environment}/flags/${guarded}/config`)
  await call('PUT', `${environment}/flags/${guarded}/config`, {
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: { variation: 'off' },
    version,
  })
  const drafted = await call('POST', `${environment}/flags/${guarded}/rollouts`, {
    treatment: 'on',
    control: 'off',
    stages: [{ weight: 50_000, minDuration: 86_400_000, minUnits: 1_000_000, needsApproval: false }],
    metrics: [{ metric: 'users-with-an-error', limit: 0.25, role: 'required', onRegression: 'roll-back' }],
  })
  const path = `/api/v1/projects/shop/rollouts/${drafted.id}`
  await call('POST', `${path}/start`, { turn: drafted.turn })
  return path
}

/** Opens one screen after the other until it is over. Returns their times, and what failed. */
export async function watchScreens(user: Owner, { until, every }: { until: number; every: number }) {
  const times: number[] = []
  const failures: string[] = []
  for (let turn = 0; performance.now() < until; turn++) {
    const name = screenNames[turn % screenNames.length] ?? 'overview'
    await user.openScreen(name).then(
      (time) => times.push(time),
      (error: unknown) => failures.push(`${name}: ${error}`),
    )
    await pause(every)
  }
  return { times: times.sort((one, other) => one - other), failures }
}
