import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import { emptyFilter } from '@telltale/core/query/filter'
import type { ProjectAccess } from '../../access/access.ts'
import type { Handlers } from '../../access/route.ts'
import { copyKept, deleteCopies } from '../../intake/retention/copy-kept.ts'
import { noteInAudit } from '../../organisation/audit/note-refusal.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { Download } from '../../platform/http/download.ts'
import { readInstant } from '../../platform/http/instant.ts'
import { readVersion } from '../../platform/process/version.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { ask } from '../explore/question.ts'
import { addNote } from './add-note.ts'
import { deleteNote } from './delete-note.ts'
import { exportHar } from './export-har.ts'
import { getReplay } from './get-replay.ts'
import { keepReplay, sessionOf } from './keep-replay.ts'
import { listDetails } from './list-details.ts'
import { listMoments } from './list-moments.ts'
import { findAsset } from './queries.ts'
import { readSegments } from './read-segments.ts'
import { releaseReplay } from './release-replay.ts'
import { writeTest } from './write-test.ts'

const lastIndex = 2 ** 32 - 1

export const replayRoutes: Handlers<Calls['replays'], Services> = {
  getReplay: async (services, { project, params }) => {
    const { environment, question } = await open(services, { project, env: params.env })
    return getReplay(services.db, question, {
      session: params.session,
      retentionDays: environment.retentionReplays,
      now: services.clock(),
    })
  },
  readReplaySegments: async (services, { project, params, query }) => {
    const { question } = await open(services, { project, env: params.env })
    const { tab, from, to = lastIndex } = query
    const content = await readSegments(
      { question, memory: services.memory },
      { session: params.session, tab, from, to },
    )
    return new Download('application/x-ndjson', content)
  },
  getReplayAsset: async (services, { project, params }) => {
    const { question } = await open(services, { project, env: params.env })
    const asset = await findAsset(question, params.asset)
    if (asset === undefined) throw problem('not-found', 'There is no such asset in the environment.')
    return new Download(asset.mime, Buffer.from(asset.body, 'base64'), true)
  },
  listReplayDetails: async (services, { project, params, query }) => {
    const { question } = await open(services, { project, env: params.env })
    const asked = { session: params.session, from: query.from ?? 0 }
    return listDetails({ question, memory: services.memory }, asked)
  },
  exportHar: async (services, { project, params, origin }) => {
    const { environment, question } = await open(services, { project, env: params.env })
    const { session } = params
    const source = { question, memory: services.memory }
    const archive = await exportHar(source, { session, version: readVersion() })
    const entity = { kind: 'session', id: session, name: session }
    await noteInAudit(services.db, origin, [
      { action: 'session.export', entity, project: project.row, environment },
    ])
    return new Download('application/json', archive)
  },
  writeReplayTest: async (services, { project, params, origin }) => {
    const { environment, question } = await open(services, { project, env: params.env })
    const { session } = params
    const { db, memory, config, clock } = services
    const test = await writeTest(
      { question, memory, db },
      { session, project: project.row, env: environment.key, site: config.publicUrl?.origin, now: clock() },
    )
    const entity = { kind: 'session', id: session, name: session }
    await noteInAudit(db, origin, [{ action: 'session.export', entity, project: project.row, environment }])
    return new Download('text/plain; charset=utf-8', Buffer.from(test))
  },
  listReplayMoments: async (services, replay) =>
    listMoments(await openQuestion(services, replay), replay.query),
  keepReplay: async (services, { project, params, origin, body }) => {
    const { db, telemetry } = services
    const { environment } = await open(services, { project, env: params.env })
    const replay = { project: project.row, environment, session: params.session }
    // Copy first, so that a replay marked as kept has its copy.
    await copyKept(telemetry, environment.id, [replay.session])
    return keepReplay(db, origin, { ...replay, reason: body.reason ?? '' })
  },
  releaseReplay: async (services, { project, params, origin }) => {
    const { db, telemetry } = services
    const { environment } = await open(services, { project, env: params.env })
    const replay = { project: project.row, environment, session: params.session }
    // Delete the copies first: if that fails, the replay is still marked as kept and can be released again.
    await deleteCopies(telemetry, sessionOf(replay))
    await releaseReplay(db, origin, replay)
    return null
  },
  addReplayNote: async (services, { project, params, origin, body }) => {
    const { environment } = await open(services, { project, env: params.env })
    const replay = { project: project.row, environment, session: params.session }
    return addNote(services.db, origin, { ...replay, at: readInstant(body.at, '/at'), text: body.text })
  },
  deleteReplayNote: async (services, { project, params, origin }) => {
    const { environment } = await open(services, { project, env: params.env })
    const replay = { project: project.row, environment, session: params.session }
    return deleteNote(services.db, origin, { ...replay, id: params.note })
  },
}

type EnvironmentRef = { project: ProjectAccess; env: string }

async function open({ db, telemetry }: Pick<Services, 'db' | 'telemetry'>, { project, env }: EnvironmentRef) {
  const environment = await getEnvironment(db, { projectId: project.row.id, key: env })
  const { id: environmentId, timeZone } = environment
  const question = ask(telemetry, { environmentId, timeZone, from: 0, to: 0, filter: emptyFilter })
  return { environment, question }
}
