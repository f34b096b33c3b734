import type { ReplyOf } from '@telltale/core/contract/call'
import type { getSession as getSessionCall } from '@telltale/core/contract/sessions'
import { problem } from '@telltale/core/errors'
import type { Question } from '../explore/question.ts'
import {
  type ExposureRow,
  type FlagReadRow,
  findExposures,
  findFlagReads,
  findSession,
  findSessionViews,
  type SessionViewRow,
} from './queries.ts'
import { toSession } from './session.ts'

type Reply = Omit<ReplyOf<typeof getSessionCall>, 'attributions'>

export async function getSession(question: Question, { id, now }: { id: string; now: Date }): Promise<Reply> {
  const [row, views, reads, exposures] = await Promise.all([
    findSession(question, id),
    findSessionViews(question, id),
    findFlagReads(question, id),
    findExposures(question, id),
  ])
  if (row === undefined) throw problem('not-found', 'The environment has no session with this id.')
  return {
    ...toSession(row, now),
    userKeys: row.user_keys,
    versions: row.versions,
    viewList: views.map(toView),
    flagChanges: toFlagChanges(reads, exposures),
  }
}

function toView({
  view_id,
  started_at,
  active,
  long_frames,
  ...view
}: SessionViewRow): Reply['viewList'][number] {
  return {
    ...view,
    id: view_id,
    startedAt: new Date(Number(started_at)).toISOString(),
    active: active === 1,
    longFrames: long_frames,
  }
}

/** The first evaluation of each flag, and every change of its variation. */
function toFlagChanges(
  reads: readonly FlagReadRow[],
  exposures: readonly ExposureRow[],
): Reply['flagChanges'] {
  const drawn = new Map(exposures.map((one) => [`${one.flag}=${one.variation}`, one]))
  const inForce = new Map<string, string>()
  return reads.flatMap(({ at, flags }) =>
    flags.flatMap((pair) => {
      const [flag, variation] = split(pair)
      const previous = inForce.get(flag)
      if (previous === variation) return []
      inForce.set(flag, variation)
      const arm = drawn.get(pair)
      return {
        at: new Date(Number(at)).toISOString(),
        flag,
        variation,
        previous: previous ?? null,
        split: arm?.split ?? null,
        epoch: arm?.epoch ?? null,
      }
    }),
  )
}

function split(pair: string): [flag: string, variation: string] {
  const sign = pair.indexOf('=')
  return [pair.slice(0, sign), pair.slice(sign + 1)]
}
