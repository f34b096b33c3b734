import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listSessionFacets as listSessionFacetsCall } from '@telltale/core/contract/sessions'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import {
  emptyFilter,
  type FieldRef,
  type Filter,
  parseFields,
  printField,
  printFilter,
} from '@telltale/core/query/filter'
import { withoutField } from '../explore/list-facets.ts'
import { periodOf, readParsed } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { chooseSample, sampleOf } from '../explore/sample.ts'
import { countSessions, findSessionFacets, isSessionFacet } from './queries.ts'
import { renderSequence } from './sequence.ts'

const valuesListed = 5

type Query = QueryOf<typeof listSessionFacetsCall>
type Reply = ReplyOf<typeof listSessionFacetsCall>

/** Of all sessions, or of a sample of the users where their events are very many. */
export async function listSessionFacets(question: Question, query: Query): Promise<Reply> {
  return findValues(await chooseSample(question, { exact: query.exact }), query)
}

async function findValues(
  question: Question,
  { fields, search, sequence, top = valuesListed }: Query,
): Promise<Reply> {
  const wanted = readFacets(fields).map((ref) => ({ name: printField(ref), ref }))
  // Fields with the same remaining filter are read in one statement; usually all of them.
  const groups = new Map<string, { filter: Filter; fields: typeof wanted }>()
  for (const field of wanted) {
    const filter = withoutField(question.filter, field.ref)
    const group = groups.get(printFilter(filter))
    if (group === undefined) groups.set(printFilter(filter), { filter, fields: [field] })
    else group.fields.push(field)
  }
  const all = question.with({ filter: emptyFilter })
  const [fitting, of, ...found] = await Promise.all([
    countSessions(question, renderSequence(question, sequence)),
    countSessions(all, []),
    ...[...groups.values()].map(({ filter, fields: together }) => {
      const narrowed = question.with({ filter })
      return findSessionFacets(narrowed, {
        fields: together,
        conditions: renderSequence(narrowed, sequence),
        search,
        top,
      })
    }),
  ])
  const rows = found.flat()
  return {
    ...periodOf(question),
    sample: sampleOf(question),
    sessions: fitting.sessions,
    of: of.sessions,
    facets: wanted.map(({ name }) => {
      const own = rows.filter(({ field }) => field === name)
      return {
        field: name,
        values: own.map(({ value, count }) => ({ value, count })),
        distinct: Number(own[0]?.distinct ?? 0),
      }
    }),
  }
}

function readFacets(text: string): FieldRef[] {
  const fields = readParsed(parseFields(text), '?fields')
  const refuse = (message: string) =>
    problem('invalid-request', { errors: [{ pointer: '?fields', message }] })
  if (fields.length > limits.facetFields) throw refuse(`names at most ${limits.facetFields} fields`)
  const wrong = fields.find((field) => !isSessionFacet(field))
  if (wrong !== undefined) throw refuse(`${printField(wrong)} is not a session facet`)
  return fields
}
