// Recorded sessions and traces of the treatment that show a contributor at its typical size.
import { type Method, serverRequest } from '@telltale/core/guard/metric-method'
import { bucketGrowth } from '@telltale/core/statistics/buckets'
import { renderIssue } from '../../monitoring/explore/joined-groups.ts'
import type { EvidenceName, EvidenceSource } from './evidence-sources.ts'
import {
  findTypical,
  findTypicalTraces,
  type Lived,
  readTypical,
  type TypicalReplay,
  type TypicalTrace,
  toReplays,
} from './find-typical.ts'
import { isMeasure, isRequest, requestHash } from './rows-of-arms.ts'
import type { SplitQuestion } from './split-question.ts'

export async function findReplays(source: EvidenceSource, name: EvidenceName): Promise<TypicalReplay[]> {
  if (name.kind === 'function') return findWithFunction(source, name.text)
  const question = source.ask()
  return findTypical(question, source.period, livedThrough(question, source, name))
}

export async function findTraces(source: EvidenceSource, name: EvidenceName): Promise<TypicalTrace[]> {
  // Profiles have no trace.
  if (name.kind === 'function') return []
  const question = source.ask()
  return findTypicalTraces(question, source.period, livedThrough(question, source, name))
}

function livedThrough(
  question: SplitQuestion,
  { joined, metric, beyond }: EvidenceSource,
  name: Exclude<EvidenceName, { kind: 'function' }>,
): Lived {
  const { bind } = question
  switch (name.kind) {
    case 'issue': {
      const isIt = `toString(${renderIssue('err_group', joined)}) = ${bind(name.key, 'String')}`
      return { conditions: ["kind = 'error'", isIt], amount: '1' }
    }
    case 'failing-request':
    case 'slow-request': {
      const isSlow = name.kind === 'slow-request'
      const isIt = `${requestHash} = ${bind(name.key, 'UInt64')}`
      const conditions = [isRequest, isIt, ...(isSlow ? [] : ['res_failed = 1'])]
      return { conditions, amount: isSlow ? 'duration' : '1' }
    }
    case 'slice': {
      const isIn = `toString(${name.field}) = ${bind(name.value, 'String')}`
      // What is missing cannot be recorded, so any session of the slice is typical.
      const { method } = metric
      const of = metric.better === 'lower' ? isHarm(question, method, beyond) : isMeasure(question, 'session')
      return { conditions: [of, isIn], amount: '1' }
    }
  }
}

function isHarm(question: SplitQuestion, method: Method, beyond: number): string {
  const { measure } = method
  const isOf = isMeasure(question, measure)
  if (method.kind !== 'quantile') return isOf
  const column =
    measure === 'long_frame' || measure === 'request' || measure === serverRequest ? 'duration' : 'value'
  const slowest = method.smallest * bucketGrowth ** beyond
  return `${isOf} AND ${column} > ${question.bind(slowest, 'Float64')}`
}

/** By the function's self time in the profiles of a session. */
async function findWithFunction(
  { ask, questionOfProfiles, period }: EvidenceSource,
  text: string,
): Promise<TypicalReplay[]> {
  const { split, treatment } = ask()
  const question = questionOfProfiles()
  const { bind } = question
  const stacks = `SELECT stack FROM ${question.rowsOf('profile_stacks', `frames[-1] = ${bind(text, 'String')}`)}`
  const isTreated = `arrayExists(a -> a.1 = ${bind(split, 'UInt64')} AND a.3 = ${bind(treatment, 'String')}, arms)`
  const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
  const recorded = `SELECT session_id FROM ${question.rowsOf('replay_segments', `day >= toDate(${at(period.from)})`, `day <= toDate(${at(period.to)})`)}`
  const rows = question.rowsOf(
    'profile_rows',
    `ts >= ${at(period.from)}`,
    `ts < ${at(period.to)}`,
    isTreated,
    `stack GLOBAL IN (${stacks})`,
    `session_id GLOBAL IN (${recorded})`,
  )
  const found = await readTypical(
    question,
    `SELECT session_id AS id_, min(toUnixTimestamp64Milli(ts)) AS began, sum(toFloat64(self_ms)) AS much FROM ${rows} GROUP BY id_`,
  )
  return toReplays(found)
}
