// OFREP answered on the socket, from memory: the answers to contexts that come again are kept as they are sent. An edge
// notes no identities, so an answer that is kept has nothing else to do than to count.

import { promisify } from 'node:util'
import { constants, crc32, gzip } from 'node:zlib'
import type { KnownKey } from '../../../organisation/keys/known-keys.ts'
import { credentialIn } from '../../../organisation/keys/sdk-key.ts'
import { corsHeaders } from '../../../platform/http/open-to-pages.ts'
import type { ServedRuleSet } from '../../../release/delivery/build-rule-set.ts'
import { checksUsers } from '../../../release/delivery/check-user.ts'
import type { Delivery } from '../../../release/delivery/delivery.ts'
import { answerBulk, answerSingle, bulkPath, type OfrepAnswer } from '../../../release/delivery/ofrep.ts'
import { acceptsGzip, compressAbove, pathOf } from '../../../release/delivery/ofrep-lane.ts'
import { epochAt } from '../../../release/delivery/stream-token.ts'
import type { EvaluationCounter } from '../../../release/evaluations/count-evaluations.ts'
import type { DirectAnswer, DirectHead, DirectRoutes } from './direct-answers.ts'
import { createKeptAnswers } from './kept-answers.ts'

interface OfrepRequest {
  /** One flag; undefined for all. */
  flag: string | undefined
  credential: string
  origin: string | undefined
  /** `If-None-Match` */
  known: string | undefined
  takesGzip: boolean
  header: (name: string) => string | undefined
  /** Before the body, in the name of a kept answer. */
  name: string
  /** Of the checksum of the body. */
  seed: number
}

interface AnswerParts {
  delivery: Delivery
  /** Lines of headers for every answer, each with its line end. */
  moreLines(): string
  /** Called for every answer. */
  onAnswer(isBulk: boolean, status: number): void
}

interface Asked {
  requested: OfrepRequest
  key: KnownKey
  served: ServedRuleSet
  body: Buffer
}

const compress = promisify(gzip)
const level = { level: constants.Z_BEST_SPEED }
const cors = Object.entries(corsHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const json = 'content-type: application/json; charset=utf-8\r\n'
const validated = 'cache-control: private, no-cache\r\nvary: accept-encoding\r\n'
/** Bytes of a kept answer that is written as a text, together with its head. */
const longestText = 4_096

export function createOfrepAnswers({
  delivery,
  moreLines,
  onAnswer,
}: AnswerParts): DirectRoutes<OfrepRequest> {
  const { keys, ruleSets, now, evaluationCounts } = delivery
  const answers = createKeptAnswers()

  const evaluate = ({ requested: { flag, known, header }, key, served, body }: Asked) => {
    const counters: EvaluationCounter[] = []
    // In tags a body without bytes is no body.
    const sent = body.length === 0 ? undefined : body
    const question = { key, body: sent, address: unknownAddress, header, delivery, counters }
    const given =
      flag === undefined
        ? answerBulk(served, question, { known, now: now() })
        : answerSingle(served, flag, question)
    return { given, counters }
  }
  const finish = (answer: DirectAnswer, { requested }: Asked): DirectAnswer => {
    onAnswer(requested.flag === undefined, answer.status)
    const more = moreLines()
    return more === '' ? answer : { ...answer, lines: more + answer.lines }
  }
  const finishAny = (sent: DirectAnswer | Promise<DirectAnswer>, asked: Asked) =>
    sent instanceof Promise ? sent.then((answer) => finish(answer, asked)) : finish(sent, asked)
  const answerFresh = (asked: Asked) => finishAny(toSend(evaluate(asked).given, asked.requested), asked)
  const answerKept = (asked: Asked) => {
    const { requested, key, served, body } = asked
    if (!answers.isAgain(crc32(body, requested.seed))) return answerFresh(asked)

    const epoch = requested.flag === undefined ? epochAt(now()) : 0
    const kept = answers.of(served, key, epoch)
    const name = requested.name + body.toString('latin1')
    const found = kept.get(name)
    if (found?.tag !== undefined && requested.known === found.tag) return finish(unchanged(found.tag), asked)
    if (found?.answer !== undefined) {
      for (const counter of found.counters) counter.count += 1
      evaluationCounts.meterOf(key).count += found.counters.length
      return finish(found.answer, asked)
    }
    const { given, counters } = evaluate(asked)
    const { status, tag } = given
    const sent = toSend(given, requested)
    const keep = (answer: DirectAnswer) => {
      if (status === 200) kept.keep(name, { answer: asBytes(answer), tag, counters })
      if (status === 304) kept.note(name, tag)
      return finish(answer, asked)
    }
    return sent instanceof Promise ? sent.then(keep) : keep(sent)
  }

  return {
    read: readRequest,
    answer(requested, body) {
      const key = keys.find(requested.credential, requested.origin)
      const served = key && ruleSets.find(key.environment.id)
      if (key === undefined || served === undefined) return undefined
      const asked = { requested, key, served, body }
      // A signature expires, and rules that read the request need more than the context: their answers are not kept.
      return checksUsers(key) || served.readsRequest ? answerFresh(asked) : answerKept(asked)
    },
  }
}

/** Only identities need it. */
const unknownAddress = () => ''

function readRequest({ url, headers }: DirectHead): OfrepRequest | undefined {
  if (!url.startsWith(bulkPath)) return undefined
  const path = pathOf(url)
  const credential = credentialIn(headers.get('authorization'), headers.get('x-api-key'))
  if (path === undefined || credential === undefined) return undefined
  const { flag } = path
  const takesGzip = acceptsGzip.test(headers.get('accept-encoding') ?? '')
  const name = `${flag ?? ''}${takesGzip ? '\n' : '\r'}`
  const [origin, known] = [headers.get('origin'), headers.get('if-none-match')]
  const header = (of: string) => headers.get(of)
  return { flag, credential, origin, known, takesGzip, header, name, seed: crc32(name) }
}

const unchanged = (tag: string): DirectAnswer => ({
  status: 304,
  lines: `${cors}${validated}etag: ${tag}\r\n\r\n`,
  body: '',
})

function toSend(
  { status, text, size, tag }: OfrepAnswer,
  { takesGzip }: OfrepRequest,
): DirectAnswer | Promise<DirectAnswer> {
  if (status === 304 && tag !== undefined) return unchanged(tag)
  const lines = tag === undefined ? cors + json : `${cors}${validated}etag: ${tag}\r\n${json}`
  if (tag !== undefined && size > compressAbove && takesGzip) {
    return compress(text, level).then((body) => ({
      status,
      lines: `${lines}content-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
      body,
    }))
  }
  // As many bytes as characters means ASCII.
  const body = size === text.length ? text : Buffer.from(text)
  return { status, lines: `${lines}content-length: ${size}\r\n\r\n`, body }
}

/** A text is copied each time that it is written. */
function asBytes(answer: DirectAnswer): DirectAnswer {
  const { body } = answer
  return typeof body === 'string' && body.length > longestText
    ? { ...answer, body: Buffer.from(body, 'latin1') }
    : answer
}
