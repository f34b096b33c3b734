// A whole Telltale in this process, on an empty database, with a clock that tests move.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstallationRole } from '@telltale/core/permissions'
import { v7 as newId } from 'uuid'
import { inject } from 'vitest'
import { findProject } from '../packages/server/src/access/find-project.ts'
import { beginSession } from '../packages/server/src/access/sessions.ts'
import type { Demo } from '../packages/server/src/app/demo/demo.ts'
import { type Running, serve } from '../packages/server/src/app/serve.ts'
import { connectTelemetry } from '../packages/server/src/platform/engines/clickhouse/connect.ts'
import {
  type ConnectedPostgres,
  connectPostgres,
} from '../packages/server/src/platform/engines/connect-postgres/connect.ts'
import { users } from '../packages/server/src/platform/engines/postgres/account-schema.ts'
import { openPostgres, type PostgresTarget } from '../packages/server/src/platform/engines/postgres/open.ts'
import { memberships } from '../packages/server/src/platform/engines/postgres/schema.ts'
import { type Config, readConfig } from '../packages/server/src/platform/process/config.ts'
import { createLog } from '../packages/server/src/platform/process/log.ts'
import { connectNoTelemetry, createStore } from './clickhouse.ts'
import { createDatabase } from './postgres.ts'
import type { TestStore } from './store.ts'

export interface Credential {
  headers: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
  body: any
}

export interface Request {
  as?: Credential
  body?: unknown
  headers?: Record<string, string>
}

export interface SomePerson extends Credential {
  id: string
  email: string
}

export interface Telltale extends AsyncDisposable {
  url: string
  running: Running
  /** The database it runs on, for starting another server over it. */
  database: PostgresTarget
  /** The telemetry store it runs on, when it was asked for. */
  store: TestStore | undefined
  request(method: string, path: string, request?: Request): Promise<Answer>
  /** Somebody with an account and a session, made without the detour over passwords. */
  person(options?: {
    role?: InstallationRole
    /** Built-in roles, or keys of own roles, by project. */
    in?: Record<string, string>
    email?: string
  }): Promise<SomePerson>
  /** An API token that this person creates. */
  token(owner: SomePerson, draft: { role: string; project?: string }): Promise<Credential & { id: string }>
  /** A project with its starting environments, made by an owner. */
  project(key: string): Promise<void>
  passTime(span: number): void
}

interface TelltaleOptions {
  settings?: Record<string, string>
  /** With a real telemetry store, in its own database on the engine that all tests share. */
  telemetry?: boolean
  /** On a telemetry store that the test made. */
  store?: TestStore
  /** Another server over the database of this one. */
  beside?: Telltale
  /** A database that the test filled; the test drops it. */
  over?: PostgresTarget
  demo?: Demo
  /** With a PostgreSQL and a telemetry engine of its own, as an installation has them: everything lies in the data folder. */
  ownEngines?: boolean
  /** A server that has stopped comes back on its data folder; the database may be found elsewhere now. */
  again?: { after: Telltale; database: PostgresTarget }
}

export async function startTelltale({
  settings = {},
  telemetry = false,
  store: given,
  beside,
  again,
  over,
  demo,
  ownEngines = false,
}: TelltaleOptions = {}): Promise<Telltale> {
  const folder =
    again?.after.running.services.config.dataFolder ?? (await mkdtemp(join(tmpdir(), 'telltale-')))
  const shared = again?.database ?? beside?.database ?? over
  const database = ownEngines
    ? undefined
    : shared
      ? { target: shared, drop: async () => undefined }
      : await createDatabase(inject('postgres'))
  const kept = again?.after.store ?? beside?.store
  const store = kept ?? given ?? (telemetry ? await createStore() : undefined)
  const args = ['--port', '0', '--data', folder, '--log-level', 'error']
  const config: Config = readConfig(args, {
    TELLTALE_OWN_PROJECT: 'off',
    ...(store && { CLICKHOUSE_URL: store.url }),
    ...(store?.cluster && { CLICKHOUSE_CLUSTER: store.cluster }),
    ...settings,
  })
  let offset = 0
  let target = database?.target

  const running = await serve({
    config,
    log: createLog(config.logLevel),
    clock: () => new Date(Date.now() + offset),
    elapsed: () => performance.now() + offset,
    connect: async (...given) => {
      const connected: ConnectedPostgres =
        database === undefined
          ? await connectPostgres(...given)
          : {
              ...openPostgres(database.target),
              target: database.target,
              state: () => 'external',
              check: async () => undefined,
            }
      target = connected.target
      return connected
    },
    ...(demo && { demo }),
    connectTelemetry:
      config.clickhouseUrl === undefined && !ownEngines ? connectNoTelemetry : connectTelemetry,
  })
  if (target === undefined) throw new Error('nothing was connected')
  if (store !== undefined || ownEngines) await running.services.telemetry.untilUsable()
  const { db } = running.services

  const request: Telltale['request'] = async (method, path, { as, body, headers } = {}) => {
    const response = await fetch(running.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...as?.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const type = response.headers.get('content-type')
    // It would not end by itself.
    if (type?.startsWith('text/event-stream')) await response.body?.cancel()
    const text = response.bodyUsed ? '' : await response.text()
    const isJson = /[/+]json/.test(type ?? '')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  const person: Telltale['person'] = async ({ role = 'member', in: roles = {}, email } = {}) => {
    const id = newId()
    const now = running.services.clock()
    const address = email ?? `${id}@example.com`
    await db.insert(users).values({
      id,
      email: address,
      name: `Person ${id.slice(-4)}`,
      passwordHash: 'none',
      role,
      createdAt: now,
    })
    for (const [key, projectRole] of Object.entries(roles)) {
      const project = await findProject(db, key)
      if (!project) throw new Error(`no project ${key}`)
      await db
        .insert(memberships)
        .values({ projectId: project.id, userId: id, role: projectRole, createdAt: now })
    }
    const session = await beginSession(db, { userId: id, userAgent: 'test', now })
    return { id, email: address, headers: { cookie: `telltale_session=${session.token}` } }
  }

  return {
    url: running.url,
    running,
    database: target,
    store,
    request,
    person,
    token: async (owner, draft) => {
      const answer = await request('POST', '/api/v1/account/tokens', {
        as: owner,
        body: { name: 'Test', ...draft },
      })
      if (answer.status !== 201) throw new Error(`no token: ${JSON.stringify(answer.body)}`)
      return { id: answer.body.token.id, headers: { authorization: `Bearer ${answer.body.value}` } }
    },
    project: async (key) => {
      const as = await person({ role: 'owner' })
      const answer = await request('POST', '/api/v1/projects', { as, body: { key, name: key } })
      if (answer.status !== 201) throw new Error(`no project: ${JSON.stringify(answer.body)}`)
    },
    passTime: (span) => {
      offset += span
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop()
      await database?.drop()
      if (kept === undefined) await store?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
