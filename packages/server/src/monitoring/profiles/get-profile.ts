import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Profile } from '@telltale/core/contract/attachments'
import type { ReplyOf } from '@telltale/core/contract/call'
import type { getProfile as getProfileCall, listProfiles } from '@telltale/core/contract/profiles'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { frameText, sampleTime } from '@telltale/core/telemetry/fold-profile'
import { noId } from '@telltale/core/telemetry/row-text'
import { Compile } from 'typebox/compile'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import type { Question } from '../explore/question.ts'
import { isMapped, mapProfile } from './map-profile.ts'
import { findBlob, findProfile, type ProfileRow } from './queries.ts'

type Reply = ReplyOf<typeof getProfileCall>
type Summary = ReplyOf<typeof listProfiles>['items'][number]

const unpack = promisify(gunzip)
const check = Compile(Profile)

export async function getProfile(
  question: Question,
  mapper: StackMapper,
  { id, projectId }: { id: string; projectId: string },
): Promise<Reply> {
  const [row, blob] = await Promise.all([findProfile(question, id), findBlob(question, id)])
  const tables = blob && (await readTables(blob.body))
  if (row === undefined || blob === undefined || tables === undefined) {
    throw problem('not-found', 'The profile does not exist or was deleted.')
  }
  const texts: { text: string; version: string }[] = []
  for (let at = 0; at + 3 < tables.frames.length; at += 4) {
    const [name = -1, file = -1, line = 0, column = 0] = tables.frames.slice(at, at + 4)
    const frame = { name: tables.texts[name] ?? '', file: tables.texts[file] ?? '', line, column }
    texts.push({ text: frameText(frame), version: row.version_text })
  }
  const frames = await mapProfile(mapper, projectId, { frames: texts, page: row.name })
  return {
    ...toSummary({ ...row, lasts: blob.duration }),
    frames,
    stacks: pairs(tables.stacks).map(([frame, parent]) => ({ frame, parent })),
    samples: toSamples(tables.samples, blob.duration),
    longFrames: pairs(tables.longFrames ?? []).map(([at, duration]) => ({ at, duration })),
    mapped: isMapped(frames),
  }
}

export function toSummary(row: ProfileRow & { lasts: number }): Summary {
  return {
    id: row.id,
    session: row.session,
    view: row.view === noId ? null : row.view,
    page: row.name,
    version: row.version_text,
    browser: row.browser_name,
    device: row.device_name,
    startedAt: new Date(Number(row.at)).toISOString(),
    duration: row.lasts,
    busyMs: row.busy_ms,
    flags: row.flag_pairs,
  }
}

async function readTables(body: string): Promise<Profile | undefined> {
  try {
    const bounds = { maxOutputLength: limits.profileInflated }
    const text = await unpack(Buffer.from(body, 'base64'), bounds)
    const found: unknown = JSON.parse(text.toString('utf8'))
    return check.Check(found) ? found : undefined
  } catch {
    // Corrupted on disk: the sums still include the profile, but its timeline is lost.
    return undefined
  }
}

function pairs(flat: readonly number[]): [number, number][] {
  const found: [number, number][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) found.push([flat[at] ?? 0, flat[at + 1] ?? 0])
  return found
}

/** Durations as in the flame graph; pauses of the browser count for no function. */
function toSamples(flat: readonly number[], duration: number): Reply['samples'] {
  let at = 0
  const timed = pairs(flat).map(([gap, stack]) => {
    at += gap
    return { at, stack }
  })
  return timed.map((sample, index) => {
    const next = timed[index + 1]?.at
    // Idle lasts until the next sample.
    if (sample.stack < 0) return { ...sample, duration: Math.max(0, (next ?? duration) - sample.at) }
    const gap = next === undefined ? undefined : next - sample.at
    return { ...sample, duration: sampleTime(gap, limits.profileInterval) }
  })
}
