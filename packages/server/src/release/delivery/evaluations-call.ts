// How often the clients for servers served each outcome: they evaluate in their own process, so nothing else counts it.
// Entries that do not fit what the environment serves are ignored: a client may be some seconds behind.

import { problem } from '@telltale/core/errors'
import type { FlagDefinition } from '@telltale/core/evaluation/rule-set'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance } from 'fastify'
import { validate as isUuid } from 'uuid'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import type { Delivery } from './delivery.ts'

const path = '/sdk/v1/evaluations'
const reasons = ['STATIC', 'DEFAULT', 'TARGETING_MATCH', 'SPLIT', 'HOLDOUT', 'DISABLED'] as const

export function bindEvaluationsCall(scope: FastifyInstance, delivery: Delivery): void {
  scope.post(path, { helmet: false as const }, async (request, reply) => {
    const key = await delivery.keys.authenticate(request)
    if (key.kind !== 'server') throw problem('invalid-key', 'Counts of evaluations require a server key.')
    const { id } = key.environment
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    await takeParseTurn(body.length)
    const served = await delivery.ruleSets.get(id)
    const report = parse(body)
    const entries = entriesOf(report)
    const reportId = memberOf(report, 'id')
    // A client that got no answer sends the same report again.
    if (isId(reportId) && !(await delivery.reportIds.isNew(id, reportId.toLowerCase())))
      return reply.code(204).send()
    for (const given of entries.slice(0, limits.evaluationOutcomes)) {
      const read = readEntry(served, given) ?? readWithoutOutcome(given)
      if (read === undefined) continue
      delivery.evaluationCounts.countReported(id, read.flag, read)
      // A flag that does not exist was not evaluated.
      if (served.flags.has(read.flag)) delivery.evaluationCounts.meterOf(key).count += read.count
    }
    return reply.code(204).send()
  })
  refuseOtherMethods(scope, path, ['POST'])
}

function entriesOf(report: unknown): unknown[] {
  const list = memberOf(report, 'evaluations')
  if (!Array.isArray(list)) throw problem('invalid-request', 'Expected a list `evaluations`.')
  return list
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const isId = (id: unknown): id is string => typeof id === 'string' && isUuid(id)

const memberOf = (given: unknown, name: string): unknown =>
  typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined

function readEntry({ ruleSet }: ServedRuleSet, given: unknown) {
  const [flag, variation, count] = ['flag', 'variation', 'count'].map((name) => memberOf(given, name))
  const reason = reasons.find((one) => one === memberOf(given, 'reason'))
  const definition = typeof flag === 'string' ? ruleSet.flags.get(flag)?.definition : undefined
  if (definition === undefined || reason === undefined || !isCount(count)) return undefined
  const known = definition.variations.find(({ key }) => key === variation)
  if (known === undefined) return undefined
  const split = readSplit(definition, given)
  return split === null ? undefined : { flag: definition.key, variation: known.key, reason, count, split }
}

/** An edge counts failed evaluations too, and those in clients of Flagsmith, whose outcome is unknown. */
const withoutOutcome = ['ERROR', 'LOCAL'] as const

function readWithoutOutcome(given: unknown) {
  const [flag, variation, count] = ['flag', 'variation', 'count'].map((name) => memberOf(given, name))
  const reason = withoutOutcome.find((one) => one === memberOf(given, 'reason'))
  if (typeof flag !== 'string' || reason === undefined || variation !== undefined || !isCount(count))
    return undefined
  return { flag, variation: undefined, reason, count, split: undefined }
}

const isCount = (count: unknown): count is number =>
  typeof count === 'number' &&
  Number.isSafeInteger(count) &&
  count > 0 &&
  count <= limits.evaluationsPerOutcome

/** Undefined without a split; null if it is not one of the flag. */
function readSplit(
  { config }: FlagDefinition,
  given: unknown,
): { id: string; epoch: number } | undefined | null {
  const [id, epoch] = [memberOf(given, 'split'), memberOf(given, 'epoch')]
  if (id === undefined) return undefined
  const serves = [config.fallthrough, ...config.rules.map(({ serve }) => serve)]
  const found = serves.find((serve) => 'split' in serve && serve.split.id === id)
  if (found === undefined || !('split' in found)) return null
  // An earlier epoch is that of a client that has not fetched the change yet.
  const isKnown =
    typeof epoch === 'number' && Number.isInteger(epoch) && epoch >= 0 && epoch <= found.split.epoch
  return isKnown ? { id: found.split.id, epoch } : null
}
