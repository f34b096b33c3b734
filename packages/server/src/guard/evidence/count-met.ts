// Counts units by where they first encountered each issue or failed request, and those that encountered only
// others.
import type { StageEvents } from '@telltale/core/statistics/event-share'
import { type CountedPlace, firstPlace, placeSql, stagesOf } from './first-place.ts'
import type { SplitQuestion } from './split-question.ts'

interface MetThing {
  key: string
  part: StageEvents[]
  rest: StageEvents[]
}

interface Row {
  key: string
  /** The place of the unit's first encounter, of its first encounter with anything, and the number of units. */
  places: [own: number, any: number, units: number][]
}

/** From rows with `at_` and `key_`, the things that most units encountered. */
export async function countMet(question: SplitQuestion, rows: string, atMost: number): Promise<MetThing[]> {
  const found = await question.read<Row>(
    `SELECT thing AS key, groupArray((own_place, any_place, units)) AS places
    FROM (
      SELECT one.1 AS thing, ${placeSql('one.2')} AS own_place, ${placeSql('first_of_all')} AS any_place, toFloat64(count()) AS units
      FROM (
        SELECT unit, first_of_all, arrayJoin(arrayPushFront(met, ('', first_of_all))) AS one
        FROM (
          SELECT unit, groupArray((key_, first)) AS met, min(first) AS first_of_all
          FROM (SELECT unit, key_, min(${firstPlace('at_', 'epoch', 'treated')}) AS first FROM (${rows}) GROUP BY unit, key_)
          GROUP BY unit))
      GROUP BY thing, own_place, any_place)
    GROUP BY key ORDER BY sum(units) DESC, key LIMIT ${atMost + 1}`,
  )
  const counted = ({ places }: Row, which: 0 | 1): StageEvents[] =>
    stagesOf(
      question,
      places.map((place): CountedPlace => ({ place: place[which], units: place[2] })),
    )
  const all = found.find(({ key }) => key === '')
  if (all === undefined) return []
  const whole = counted(all, 1)
  return found
    .filter(({ key }) => key !== '')
    .map((row) => {
      const those = counted(row, 1)
      const rest = whole.map(({ treatment, control, share }, stage) => ({
        treatment: treatment - (those[stage]?.treatment ?? 0),
        control: control - (those[stage]?.control ?? 0),
        share,
      }))
      return { key: row.key, part: counted(row, 0), rest }
    })
}
