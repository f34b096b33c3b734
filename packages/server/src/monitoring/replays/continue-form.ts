// Where a tab was read up to, so that the player's next question goes on from there: what a segment means may be told by those
// before it. Whatever is not remembered any more is read again from the last whole page.

import { LRUCache } from 'lru-cache'
import type { Question } from '../explore/question.ts'
import { createPlayerForm } from './player-form.ts'
import { findBeginning, type SegmentRange } from './queries.ts'
import type { PlayerForm, ReadRange } from './recorded-segment.ts'

const mebibyte = 1_024 * 1_024
const remembered = new LRUCache<string, PlayerForm>({
  ...{ max: 50, maxSize: 256 * mebibyte, maxEntrySize: 128 * mebibyte, ttl: 5 * 60_000 },
  sizeCalculation: ({ size }) => size + 1,
})

type Tab = Pick<SegmentRange, 'session' | 'tab'>

const keyOf = ({ environmentId }: Question, { session, tab }: Tab, next: number) =>
  `${environmentId} ${session} ${tab} ${next}`

export async function continueForm(
  question: Question,
  { from, ...tab }: Omit<SegmentRange, 'to'>,
  read: ReadRange,
): Promise<PlayerForm> {
  const key = keyOf(question, tab, from)
  const known = remembered.get(key)
  // It changes while it is read on: whoever else asks for the same reads for himself.
  remembered.delete(key)
  if (known !== undefined) return known
  const form = createPlayerForm()
  const begin = await findBeginning(question, { ...tab, from: 0, to: from })
  if (begin === undefined || begin === from) return form
  for await (const segment of read({ ...tab, from: begin, to: from - 1 })) await form.read(segment)
  return form
}

export function rememberForm(question: Question, tab: Tab, form: PlayerForm): void {
  if (form.next !== undefined) remembered.set(keyOf(question, tab, form.next), form)
}
